import { secondsBetween } from '../../../domain/time/seconds-between.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The age of a time, in words; the day itself if it is more than a month ago. */
export function timeAgo(at: Date, now: Date): string {
  const seconds = secondsBetween(at, now)
  if (seconds < 45) return 'just now'
  if (seconds < hour) return counted(Math.max(1, Math.floor(seconds / minute)), 'minute')
  if (seconds < day) return counted(Math.floor(seconds / hour), 'hour')
  if (seconds < 31 * day) return counted(Math.floor(seconds / day), 'day')
  return `on ${at.toISOString().slice(0, 10)}`
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** A relative time, with the exact one as tooltip and for programs. */
export function Time({ at, now }: { at: Date; now: Date }) {
  const exact = at.toISOString()
  return (
    <time datetime={exact} title={`${exact.slice(0, 19).replace('T', ' ')} UTC`}>
      {timeAgo(at, now)}
    </time>
  )
}

/** When something was used last, in a sentence. */
export function LastUse({ at, now }: { at: Date | null; now: Date }) {
  if (at === null) return <>never used</>
  return (
    <>
      used <Time at={at} now={now} />
    </>
  )
}
