import type { Job, JobVersion } from '../../../domain/job/job.ts'
import { AttemptItem } from '../parts/attempt-item.tsx'

interface AttemptsProps {
  now: Date
  job: Job
  /** The earlier attempts, oldest first. */
  versions: readonly JobVersion[]
  /** The attempt whose log is shown; undefined for the newest. */
  shown: JobVersion | undefined
  /** Path of the job's page. */
  href: string
}

/** The attempts of a job that was restarted or lost, newest first, each with its log. */
export function Attempts({ now, job, versions, shown, href }: AttemptsProps) {
  if (versions.length === 0) return null
  const newest = { ...job, number: job.attempt, lost_reason: null }
  const all = [newest, ...versions.toReversed()]
  const current = shown?.number ?? newest.number
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <ul class="items">
        {all.map((attempt) => (
          <AttemptItem
            attempt={attempt}
            title={`Attempt ${attempt.number}`}
            href={attempt.number === newest.number ? href : `${href}?attempt=${attempt.number}`}
            isCurrent={attempt.number === current}
            now={now}
          />
        ))}
      </ul>
    </section>
  )
}
