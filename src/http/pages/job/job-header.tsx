import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import type { Job, JobOrigin } from '../../../domain/job/job.ts'
import type { Stage } from '../../../domain/stage.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { Sha, Subject } from '../parts/commit-text.tsx'
import { ConfigList } from '../parts/config-list.tsx'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { Fact, Facts, TimeFact } from '../parts/facts.tsx'
import { JobTags } from '../parts/job-tags.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { Waiting } from '../parts/waiting.tsx'

const origins: Record<JobOrigin['kind'], string> = {
  matrix: 'the matrix of the build file',
  include: 'jobs.include of the build file',
  default: 'the build file as a whole, or the lack of one: a single job',
  error: 'no usable build file: this job only reports what is wrong',
}

interface JobHeaderProps {
  now: Date
  build: Build
  commit: Commit
  job: Job
  position: number | undefined
  stage: Stage | null
  fromFork: boolean
  buildHref: string
}

/** A job's description, origin and configuration, and the times of its states. */
export function JobHeader({ now, commit, job, stage, ...props }: JobHeaderProps) {
  return (
    <section class={`card ${stateClass(job.state)}`}>
      <h1>
        <StateBadge state={job.state} /> Job {job.number}
        {job.name !== null && (
          <>
            {' '}
            <bdi>{visible(job.name)}</bdi>
          </>
        )}
        <JobTags job={job} />
      </h1>
      <Waiting job={job} position={props.position} />
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
