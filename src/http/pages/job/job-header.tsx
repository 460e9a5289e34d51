import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { isFinished, type Job, type JobOrigin, type JobVersion } from '../../../domain/job/job.ts'
import type { Repository } from '../../../domain/repository.ts'
import type { Stage } from '../../../domain/stage.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { waitingReasons } from '../../../texts/waiting-reasons.ts'
import type { LogFailure } from '../../views/log-failure.ts'
import { Sha, Subject } from '../parts/commit-text.tsx'
import { ConfigList } from '../parts/config-list.tsx'
import { Duration, durationText, secondsOf } from '../parts/duration.tsx'
import { Fact, Facts, TimeFact } from '../parts/facts.tsx'
import { Form } from '../parts/form.tsx'
import { JobTags } from '../parts/job-tags.tsx'
import { longestOf, TimesBar, timesOf, timesText } from '../parts/job-times.tsx'
import type { Frame } from '../parts/layout.tsx'
import { type ApiCall, SameByApi } from '../parts/same-by-api.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { jobFormPath, jobPath } from '../paths.ts'

/** The viewer's permissions on a job. */
export interface JobCan {
  restart: boolean
  cancel: boolean
}

/** A neighbour in the build's list of jobs. */
export type NearJob = Pick<Job, 'id' | 'number'>

interface JobTopProps {
  frame: Frame
  now: Date
  repository: Repository
  build: Build
  job: Job
  position: number | undefined
  /** The earlier attempt that is shown. */
  shown: JobVersion | undefined
  failure: LogFailure | undefined
  can: JobCan
  previous: NearJob | undefined
  next: NearJob | undefined
}

/** The header of a job: its name, its state with the reason, and its buttons. */
export function JobTop(props: JobTopProps) {
  const { now, job, shown } = props
  const times = timesOf(shown ? { ...job, ...shown } : job, now)
  const text = timesText(times)
  return (
    <section class={`top ${stateClass(shown?.state ?? job.state)}`}>
      <h1>
        <StateBadge state={shown?.state ?? job.state} /> Job {job.number}
        {job.name !== null && (
          <>
            {' '}
            <bdi>{visible(job.name)}</bdi>
          </>
        )}
        <JobTags job={job} />
        {shown && <span class="tag">attempt {shown.number}</span>}
        {!shown && job.attempt > 1 && (
          <a class="tag" href="#attempts">
            attempt {job.attempt}
          </a>
        )}
      </h1>
      <p class="why">
        <Sentence {...props} />
      </p>
      <Actions {...props} />
      {text !== '' && (
        <p class="phases faint">
          <TimesBar
            job={shown ? { ...job, ...shown } : job}
            times={times}
            axis={longestOf([times])}
          />
          {text}
        </p>
      )}
    </section>
  )
}

function Sentence({ now, job, position, shown, failure }: JobTopProps) {
  if (shown) {
    const { lost_reason, cancel_reason } = shown
    if (lost_reason !== null) return <bdi>This attempt was lost: {visible(lost_reason)}</bdi>
    if (cancel_reason !== null) return <bdi>This attempt was {visible(cancel_reason)}.</bdi>
  }
  const state = shown?.state ?? job.state
  const seconds = secondsOf(shown ?? job, now)
  const after = seconds === null ? '' : ` after ${durationText(seconds)}`
  if (state === 'failed' && failure?.ended) {
    return (
      <>
        <code>{failure.ended.command}</code> exited with {failure.ended.code}
        {after}.
      </>
    )
  }
  if (state === 'failed') return <>It failed{after}.</>
  if (state === 'errored') {
    return job.reason === null || shown ? (
      <>It ended with an error{after}.</>
    ) : (
      <bdi>{visible(job.reason)}</bdi>
    )
  }
  if (state === 'canceled') return <bdi>It was {visible(job.cancel_reason ?? 'canceled')}.</bdi>
  if (state === 'passed') return <>It passed{after}.</>
  if (state === 'started') return <>It has been running for {durationText(seconds ?? 0)}.</>
  return <>{waitingReasons(job, position).join(' ')}</>
}

function Actions({ frame, repository, build, job, can, previous, next }: JobTopProps) {
  const { prefix, viewer } = frame
  const restarts = can.restart && isFinished(job) && build.config_error === null
  const cancels = can.cancel && !isFinished(job)
  return (
    <div class="actions">
      {restarts && (
        <Form viewer={viewer} action={jobFormPath(prefix, repository, job, 'restart')}>
          <button class="main">Restart job</button>
        </Form>
      )}
      {cancels && (
        <Form viewer={viewer} action={jobFormPath(prefix, repository, job, 'cancel')}>
          <button class="danger">Cancel job</button>
        </Form>
      )}
      {previous && (
        <a class="button plain" rel="prev" href={jobPath(prefix, repository, previous)}>
          ‹ <span class="unseen">Job </span>
          {previous.number}
        </a>
      )}
      {next && (
        <a class="button plain" rel="next" href={jobPath(prefix, repository, next)}>
          <span class="unseen">Job </span>
          {next.number} ›
        </a>
      )}
    </div>
  )
}

const origins: Record<JobOrigin['kind'], string> = {
  matrix: 'the matrix of the build file',
  include: 'jobs.include of the build file',
  default: 'the build file as a whole, or the lack of one: a single job',
  error: 'no usable build file: this job only reports the problem',
}

interface JobFactsProps {
  now: Date
  build: Build
  commit: Commit
  job: Job
  stage: Stage | null
  fromFork: boolean
  buildHref: string
}

/** The configuration of a job, its origin, and the times of its states. */
export function JobFacts({ now, commit, job, stage, ...props }: JobFactsProps) {
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">What it runs with</h2>
      <ConfigList job={job} fromFork={props.fromFork} />
      <Facts>
        <Fact name="Build">
          <a href={props.buildHref}>#{props.build.number}</a>
        </Fact>
        {stage && (
          <Fact name="Stage">
            <bdi>{visible(stage.name)}</bdi>
          </Fact>
        )}
        <Fact name="Commit">
          <Sha sha={commit.sha} /> <Subject commit={commit} />
        </Fact>
        <Fact name="Comes from">
          {origins[job.origin.kind]}
          {job.origin.line !== null && `, line ${job.origin.line}`}
        </Fact>
        {job.image !== null && (
          <Fact name="Image">
            <bdi>{visible(job.image)}</bdi>
          </Fact>
        )}
        <Fact name="Took">
          <Duration seconds={secondsOf(job, now)} />
        </Fact>
        <TimeFact name="Created" at={job.created_at} now={now} />
        <TimeFact name="Queued" at={job.queued_at} now={now} />
        <TimeFact name="Claimed" at={job.received_at} now={now} />
        <TimeFact name="Started" at={job.started_at} now={now} />
        <TimeFact name="Finished" at={job.finished_at} now={now} />
        <TimeFact name="Canceled" at={job.canceled_at} now={now} />
        <TimeFact name="Restarted" at={job.restarted_at} now={now} />
      </Facts>
    </section>
  )
}

/** The calls that do the same as the buttons, and who can use them. */
export function JobCalls({ prefix, job }: { prefix: string; job: Job }) {
  const call = (name: string, does: string): ApiCall => ({
    method: 'POST',
    path: `/job/${job.id}/${name}`,
    action: { resource: 'job', name },
    does,
  })
  return (
    <SameByApi
      prefix={prefix}
      scope="builds"
      calls={[call('restart', 'Restart the job'), call('cancel', 'Cancel the job')]}
    >
      <p>Users with push access to the repository can restart and cancel its jobs.</p>
    </SameByApi>
  )
}
