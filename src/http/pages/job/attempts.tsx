import type { Job, JobVersion } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { Time } from '../parts/time.tsx'

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
        {all.map(({ number, state, finished_at, cancel_reason, lost_reason }) => (
          <li class="item">
            <StateBadge state={state} />
            <div>
              <p>
                <a
                  href={number === newest.number ? href : `${href}?attempt=${number}`}
                  aria-current={number === current ? 'page' : undefined}
                >
                  Attempt {number}
                </a>
              </p>
              {lost_reason !== null && (
                <p class="faint">
                  <bdi>Lost: {visible(lost_reason)}</bdi>
                </p>
              )}
              {cancel_reason !== null && (
                <p class="faint">
                  <bdi>It was {cancel_reason}.</bdi>
                </p>
              )}
            </div>
            <p class="when">{finished_at && <Time at={finished_at} now={now} />}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
