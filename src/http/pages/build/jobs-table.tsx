import type { Job } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { ConfigList } from '../parts/config-list.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { JobTags } from '../parts/job-tags.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { Waiting } from '../parts/waiting.tsx'

interface JobsTableProps {
  /** What these jobs have in common, for screen readers. */
  caption: string
  jobs: readonly Job[]
  /** Queue positions of waiting jobs, by their ids. */
  positions: ReadonlyMap<number, number>
  fromFork: boolean
  hrefOf: (job: Job) => string
  now: Date
}

/** Jobs, each with its state, its description, its configuration and its duration. */
export function JobsTable(props: JobsTableProps) {
  const { caption, jobs, positions, fromFork, hrefOf, now } = props
  return (
    <table class="jobs">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Job</th>
          <th scope="col" class="end">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr class={stateClass(job.state)}>
            <td>
              <StateBadge state={job.state} />
            </td>
            <td>
              <a class="title" href={hrefOf(job)}>
                {job.number}
                {job.name !== null && (
                  <>
                    {' '}
                    <bdi>{visible(job.name)}</bdi>
                  </>
                )}
              </a>
              <JobTags job={job} />
              <ConfigList job={job} fromFork={fromFork} />
              <Waiting job={job} position={positions.get(job.id)} />
            </td>
            <td class="end">
              <Duration seconds={secondsOf(job, now)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
