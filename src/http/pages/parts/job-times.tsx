import type { Job } from '../../../domain/job/job.ts'
import { secondsBetween } from '../../../domain/time/seconds-between.ts'
import { durationText } from './duration.tsx'
import { stateClass } from './state-badge.tsx'

/** The whole seconds that a job spent in each phase so far. */
export interface JobTimes {
  waited: number
  prepared: number
  ran: number
}

type Timed = Pick<
  Job,
  'created_at' | 'restarted_at' | 'received_at' | 'started_at' | 'finished_at' | 'state'
>

/** The times that a job waited for a runner, was prepared, and ran, up to now if it has not ended. */
export function timesOf(job: Timed, now: Date): JobTimes {
  const { received_at, started_at, finished_at } = job
  const end = finished_at ?? now
  const begin = job.restarted_at ?? job.created_at
  const claimed = received_at ?? started_at ?? end
  const started = started_at ?? end
  return {
    waited: secondsBetween(begin, claimed),
    prepared: secondsBetween(claimed, started),
    ran: started_at ? secondsBetween(started, end) : 0,
  }
}

const totalOf = ({ waited, prepared, ran }: JobTimes) => waited + prepared + ran

/** The length of the time axis that the bars of these jobs share. */
export function longestOf(times: readonly JobTimes[]): number {
  return Math.max(1, ...times.map(totalOf))
}

/** In words, without steps that took no time: `waited 4 s · set up 2 s · ran 1 min`. */
export function timesText({ waited, prepared, ran }: JobTimes): string {
  const parts = [
    ['waited', waited],
    ['set up', prepared],
    ['ran', ran],
  ] as const
  const shown = parts.filter(([, seconds]) => seconds > 0)
  return shown.map(([name, seconds]) => `${name} ${durationText(seconds)}`).join(' · ')
}

/** A bar of a job's times on an axis of `seconds`. */
export function TimesBar({ job, times, axis }: { job: Timed; times: JobTimes; axis: number }) {
  const { waited, prepared, ran } = times
  const text = timesText(times)
  if (text === '') return null
  const rest = waited + prepared
  return (
    <svg
      class={`times ${stateClass(job.state)}`}
      viewBox={`0 0 ${axis} 12`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      {waited > 0 && <rect class="waited" width={waited} height="12" />}
      {prepared > 0 && <rect class="prepared" x={waited} width={prepared} height="12" />}
      {ran > 0 && <rect class="ran" x={rest} width={ran} height="12" />}
    </svg>
  )
}
