import type { Job, JobVersion } from '../../../domain/job/job.ts'
import type { Repository } from '../../../domain/repository.ts'
import { AttemptItem } from '../parts/attempt-item.tsx'
import type { Frame } from '../parts/layout.tsx'
import { jobPath } from '../paths.ts'

interface EarlierAttemptsProps {
  frame: Frame
  now: Date
  repository: Repository
  jobs: readonly Job[]
  /** Earlier attempts of these jobs, the newest first. */
  versions: readonly JobVersion[]
}

/** Earlier attempts that are shown. */
export const mostAttempts = 50

/** The attempts of jobs that were restarted or lost, each with its log; empty if each job ran once. */
export function EarlierAttempts({ frame, now, repository, jobs, versions }: EarlierAttemptsProps) {
  const shown = versions.flatMap((version) => {
    const job = jobs.find(({ id }) => id === version.job_id)
    return job ? [{ version, job }] : []
  })
  if (shown.length === 0) return null
  return (
    <details class="card">
      <summary>
        {versions.length >= mostAttempts && 'The newest '}
        {shown.length} earlier {shown.length === 1 ? 'attempt' : 'attempts'}
      </summary>
      <ul class="items">
        {shown.map(({ version, job }) => (
          <AttemptItem
            attempt={version}
            title={`Job ${job.number}, attempt ${version.number}`}
            href={`${jobPath(frame.prefix, repository, job)}?attempt=${version.number}`}
            now={now}
          />
        ))}
      </ul>
    </details>
  )
}
