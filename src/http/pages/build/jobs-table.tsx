import type { Job } from '../../../domain/job/job.ts'
import { isFinished } from '../../../domain/job/job.ts'
import type { Repository } from '../../../domain/repository.ts'
import { Duration, secondsOf } from '../parts/duration.tsx'
import { Form } from '../parts/form.tsx'
import { JobTags } from '../parts/job-tags.tsx'
import { type JobTimes, longestOf, TimesBar, timesOf } from '../parts/job-times.tsx'
import { JobTitle } from '../parts/job-title.tsx'
import type { Frame } from '../parts/layout.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { jobFormPath, jobPath } from '../paths.ts'
import type { Matrix } from './matrix.ts'

export interface JobsTableProps {
  frame: Frame
  repository: Repository
  now: Date
  /** A description of the jobs for screen readers. */
  caption: string
  jobs: readonly Job[]
  /** All jobs of the build, whose bars share one axis. */
  all: readonly Job[]
  matrix: Matrix
  /** Queue positions of waiting jobs, by their ids. */
  positions: ReadonlyMap<number, number>
  canRestart: boolean
}

/** Jobs with their states, a column for each key in which the build's jobs differ, and their times. */
export function JobsTable(props: JobsTableProps) {
  const { caption, jobs, all, matrix, now, canRestart } = props
  const axis = longestOf(all.map((job) => timesOf(job, now)))
  const hasActions = canRestart && jobs.some(isFinished)
  return (
    <table class="table jobs">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Job</th>
          {matrix.columns.map((column) => (
            <th scope="col">
              <bdi>{column}</bdi>
            </th>
          ))}
          <th scope="col">Waited and ran</th>
          <th scope="col" class="end">
            Took
          </th>
          {hasActions && (
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <Row {...props} job={job} times={timesOf(job, now)} axis={axis} hasActions={hasActions} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps extends JobsTableProps {
  job: Job
  times: JobTimes
  axis: number
  hasActions: boolean
}

function Row({ job, times, axis, hasActions, ...props }: RowProps) {
  const { frame, repository, matrix, positions, now } = props
  const { prefix, viewer } = frame
  return (
    <tr class={stateClass(job.state)}>
      <td>
        <StateBadge state={job.state} />
      </td>
      <th scope="row">
        <JobTitle job={job} href={jobPath(prefix, repository, job)} />
        <JobTags job={job} />
        <Waiting job={job} position={positions.get(job.id)} />
      </th>
      {matrix.columns.map((column) => (
        <td data-name={column}>
          {/* Empty without a value, so that the narrow layout leaves the cell out. */}
          {matrix.valueOf(job, column) === '' ? null : <bdi>{matrix.valueOf(job, column)}</bdi>}
        </td>
      ))}
      <td class="full">
        <TimesBar job={job} times={times} axis={axis} />
      </td>
      <td class="end">
        <Duration seconds={secondsOf(job, now)} />
      </td>
      {hasActions && (
        <td class="end">
          {isFinished(job) && (
            <Form viewer={viewer} action={jobFormPath(prefix, repository, job, 'restart')}>
              <button aria-label={`Restart job ${job.number}`}>Restart</button>
            </Form>
          )}
        </td>
      )}
    </tr>
  )
}
