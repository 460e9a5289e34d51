import { isFinished, type Job } from '../../../domain/job/job.ts'
import type { Repository } from '../../../domain/repository.ts'
import { hasFailed, type LogFailure } from '../../views/log-failure.ts'
import { durationText, secondsOf } from '../parts/duration.tsx'
import { FailureExcerpt } from '../parts/failure-excerpt.tsx'
import { JobTitle } from '../parts/job-title.tsx'
import type { Frame } from '../parts/layout.tsx'
import { StateBadge, stateClass } from '../parts/state-badge.tsx'
import { jobPath } from '../paths.ts'

interface FailuresProps {
  frame: Frame
  now: Date
  repository: Repository
  jobs: readonly Job[]
  /** Why jobs failed, by their ids, as far as their logs were read. */
  failures: ReadonlyMap<number, LogFailure>
}

/** The maximum number of jobs whose failure is shown; other failed jobs are counted. */
export const mostFailures = 3
/** Lines of output that are shown for each. */
export const failureLines = 8

/** The failed jobs: first a summary of all by their commands, then the lines that explain each failure. */
export function Failures({ frame, now, repository, jobs, failures }: FailuresProps) {
  const failed = jobs.filter(hasFailed)
  const shown = failed.filter(({ id }) => failures.has(id)).slice(0, mostFailures)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" class="unseen">
        What failed
      </h2>
      {shown.map((job) => {
        const failure = failures.get(job.id)
        const href = jobPath(frame.prefix, repository, job)
        const line = failure?.errors[0]
        return (
          failure && (
            <article class={`panel ${stateClass(job.state)}`} aria-labelledby={`failed-${job.id}`}>
              <div class="head">
                <h3 id={`failed-${job.id}`}>
                  <StateBadge state={job.state} /> <JobTitle job={job} href={`${href}#failure`} />
                </h3>
                <span class="faint">
                  {failure.ended && (
                    <>
                      <code>{failure.ended.command}</code> exited with {failure.ended.code}
                    </>
                  )}
                  {isFinished(job) && ` after ${durationText(secondsOf(job, now) ?? 0)}`}
                </span>
                <a class="end" href={line ? `${href}#L${line}` : `${href}#failure`}>
                  {line ? `Open at line ${line.toLocaleString('en-US')}` : 'Open the log'}
                  <span class="unseen"> of job {job.number}</span>
                </a>
              </div>
              <FailureExcerpt
                failure={failure}
                label={`Why job ${job.number} failed`}
                href={href}
              />
            </article>
          )
        )
      })}
      {failed.length > shown.length && (
        <p class="faint">
          {failed.length - shown.length} more failed: their logs are linked in the list of jobs.
        </p>
      )}
    </section>
  )
}
