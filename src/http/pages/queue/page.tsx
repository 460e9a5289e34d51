import { slugOf } from '../../../domain/repository.ts'
import type { OpenJob } from '../../../store/jobs/listed-jobs.ts'
import { waitingReasons } from '../../../texts/waiting-reasons.ts'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'
import { homePath, jobPath, repositoryPath } from '../paths.ts'

interface QueuePageProps {
  frame: Frame
  now: Date
  /** Jobs that wait, the oldest first. */
  waiting: readonly OpenJob[]
  /** Queue positions of waiting jobs, by their ids. */
  positions: ReadonlyMap<number, number>
  /** Jobs that runners hold, the oldest first. */
  running: readonly OpenJob[]
  /** The runners of running jobs, by the ids of these; empty for viewers who cannot see them. */
  runners: ReadonlyMap<number, string>
  /** The most jobs that each list shows. */
  most: number
}

/** Waiting jobs with their reasons, and running jobs, as far as the viewer can see them. */
export function QueuePage(props: QueuePageProps) {
  const { frame, waiting, running, most } = props
  return (
    <Layout
      {...frame}
      title="Queue"
      crumbs={[{ text: 'Repositories', href: homePath(frame.prefix) }, { text: 'Queue' }]}
    >
      <h1>Queue</h1>
      <p class="why">
        {running.length === 0 ? 'Nothing runs' : counted(running.length, 'run')}
        {waiting.length === 0
          ? ', and nothing waits.'
          : `, and ${counted(waiting.length, 'wait')}.`}
      </p>
      {waiting.length > 0 && (
        <section aria-labelledby="waiting">
          <h2 id="waiting">Waiting</h2>
          <Waiting {...props} />
          {waiting.length >= most && <Shortened most={most} />}
        </section>
      )}
      {running.length > 0 && (
        <section aria-labelledby="running">
          <h2 id="running">Running</h2>
          <Running {...props} />
          {running.length >= most && <Shortened most={most} />}
        </section>
      )}
    </Layout>
  )
}

const counted = (count: number, verb: string) =>
  count === 1 ? `1 job ${verb}s` : `${count} jobs ${verb}`

function Shortened({ most }: { most: number }) {
  return <p class="faint">Only the {most} oldest are listed.</p>
}

function Waiting({ frame, now, waiting, positions }: QueuePageProps) {
  return (
    <table class="table jobs">
      <caption class="unseen">Waiting jobs</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Job</th>
          <th scope="col">Why it waits</th>
          <th scope="col" class="end">
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {waiting.map((job) => (
          <tr class={stateClass(job.state)}>
            <td>
              <StateBadge state={job.state} />
            </td>
            <Named frame={frame} job={job} />
            <td>{waitingReasons(job, positions.get(job.id)).join(' ')}</td>
            <td class="end">
              <Time at={job.created_at} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Running({ frame, now, running, runners }: QueuePageProps) {
  return (
    <table class="table jobs">
      <caption class="unseen">Running jobs</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Job</th>
          {runners.size > 0 && <th scope="col">Runner</th>}
          <th scope="col" class="end">
            Runs for
          </th>
        </tr>
      </thead>
      <tbody>
        {running.map((job) => (
          <tr class={stateClass(job.state)}>
            <td>
              <StateBadge state={job.state} />
            </td>
            <Named frame={frame} job={job} />
            {runners.size > 0 && (
              <td data-name="runner">
                <code>{runners.get(job.id)}</code>
              </td>
            )}
            <td class="end">
              <Duration seconds={secondsOf(job, now)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Named({ frame: { prefix }, job }: { frame: Frame; job: OpenJob }) {
  return (
    <th scope="row">
      <a href={repositoryPath(prefix, job.repository)}>
        <bdi>{slugOf(job.repository)}</bdi>
      </a>{' '}
      <a class="title" href={jobPath(prefix, job.repository, job)}>
        {job.number}
      </a>
    </th>
  )
}
