import { isFinished, type Job, type JobVersion } from '../../../domain/job/job.ts'
import { refreshSeconds } from '../parts/refresh-seconds.ts'
import { Log, longestLog } from './log.tsx'

/** The page of a running job reloads regularly, so it shows less of the log. */
const growingLog = { lines: 2000, characters: 200_000 }

interface LogSectionProps {
  job: Job
  /** The earlier attempt that the log belongs to; undefined for the newest attempt. */
  shown: JobVersion | undefined
  /** All output so far; empty if there is none. */
  log: string
  /** Why the log is not shown to this viewer. */
  hidden: string | undefined
  /** Path of the log as plain text. */
  href: string
}

/** The log of one attempt, or why there is none. */
export function LogSection({ job, shown, log, hidden, href }: LogSectionProps) {
  if (hidden !== undefined) return <p class="empty">The log is not shown: {hidden}.</p>
  const isEnded = isFinished(shown ?? job)
  if (log === '') {
    return (
      <p class="empty">
        {isEnded ? 'This job printed nothing.' : 'This job has not printed anything yet.'}
      </p>
    )
  }
  return (
    <section aria-labelledby="log">
      <div class="bar">
        <h2 id="log">Log</h2>
        <a href="#end">To the end</a>
        <a href={href}>Plain text</a>
      </div>
      <Log text={log} href={href} limits={isEnded ? longestLog : growingLog} />
      <p id="end" class="faint">
        {isEnded
          ? 'End of the log.'
          : `The job has not ended. This page reloads every ${refreshSeconds} seconds.`}
      </p>
    </section>
  )
}
