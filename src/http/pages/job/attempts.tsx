import type { Job, JobVersion } from '../../../domain/job/job.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'

interface AttemptsProps {
  now: Date
  job: Job
  /** What the job was before each of its restarts, oldest first. */
  versions: readonly JobVersion[]
  /** The one whose log is shown; undefined for the newest. */
  shown: JobVersion | undefined
  /** Path of the job's page. */
  href: string
}

/** The runs of a job that was restarted, newest first, each with its log. */
export function Attempts({ now, job, versions, shown, href }: AttemptsProps) {
  if (versions.length === 0) return null
  const newest = { number: null, state: job.state, finished_at: job.finished_at }
  const all = [newest, ...versions.toReversed()]
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <ul class="items">
        {all.map(({ number, state, finished_at }, index) => (
          <li class="item">
            <StateBadge state={state} />
            <p>
              <a
                href={number === null ? href : `${href}?attempt=${number}`}
                aria-current={number === (shown?.number ?? null) ? 'page' : undefined}
              >
                Attempt {all.length - index}
              </a>
            </p>
            <p class="when">{finished_at && <Time at={finished_at} now={now} />}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
