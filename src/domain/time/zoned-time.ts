/** Date and time as a wall clock shows them. */
export interface WallTime {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timezone, format)
  return format
}

/** Whether there is a timezone of that name, such as `Europe/Berlin`. */
export function isTimezone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** The wall-clock time in a timezone. */
export function wallTimeAt(at: Date, timezone: string): WallTime {
  const parts = formatOf(timezone).formatToParts(at)
  const number = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  }
}

const asUtc = ({ year, month, day, hour, minute, second }: WallTime) =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** Milliseconds by which a timezone is ahead of UTC. */
function offsetAt(at: number, timezone: string): number {
  return asUtc(wallTimeAt(new Date(at), timezone)) - Math.floor(at / 1000) * 1000
}

const day = 24 * 60 * 60_000

/**
 * The instant at which a timezone's wall clock shows this time; days and months beyond the end count on.
 * For a time that occurs twice, the first occurrence; a skipped time, as when summer time begins, comes
 * later by the length of the gap.
 */
export function instantOf(wall: WallTime, timezone: string): Date {
  const shown = asUtc(wall)
  const before = shown - offsetAt(shown - day, timezone)
  const after = shown - offsetAt(shown + day, timezone)
  const isShown = (at: number) => at + offsetAt(at, timezone) === shown
  return new Date([before, after].toSorted((a, b) => a - b).find(isShown) ?? before)
}
