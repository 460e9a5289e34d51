import type { JobState, JobVersion } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { StateBadge } from './state-badge.tsx'
import { Time } from './time.tsx'

interface AttemptItemProps {
  attempt: Pick<JobVersion, 'finished_at' | 'cancel_reason' | 'lost_reason'> & { state: JobState }
  title: string
  /** Path of the job's page with the log of this attempt. */
  href: string
  /** Whether the current page shows the log of this attempt. */
  isCurrent?: boolean
  now: Date
}

/** One attempt of a job in a list: its state, the time when it ended, and the external cause of its end. */
export function AttemptItem({ attempt, title, href, isCurrent, now }: AttemptItemProps) {
  const { state, finished_at, cancel_reason, lost_reason } = attempt
  return (
    <li class="item">
      <StateBadge state={state} />
      <div>
        <p>
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            {title}
          </a>
        </p>
        {lost_reason !== null && (
          <p class="faint">
            <bdi>Lost: {visible(lost_reason)}</bdi>
          </p>
        )}
        {cancel_reason !== null && (
          <p class="faint">
            <bdi>It was {visible(cancel_reason)}.</bdi>
          </p>
        )}
      </div>
      <p class="when">{finished_at && <Time at={finished_at} now={now} />}</p>
    </li>
  )
}
