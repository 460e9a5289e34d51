/** What a clock on the wall shows. */
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

/** The time on the walls of a timezone. */
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

/** Milliseconds by which the walls of a timezone are ahead of UTC. */
function offsetAt(at: number, timezone: string): number {
  return asUtc(wallTimeAt(new Date(at), timezone)) - Math.floor(at / 1000) * 1000
}

const day = 24 * 60 * 60_000

/**
 * When the walls of a timezone show this; days and months beyond the end count on. A time that occurs
 * twice is its first occurrence, and one that is left out, as when summer begins, comes as much later.
 */
export function instantOf(wall: WallTime, timezone: string): Date {
  const shown = asUtc(wall)
  const before = shown - offsetAt(shown - day, timezone)
  const after = shown - offsetAt(shown + day, timezone)
  const isShown = (at: number) => at + offsetAt(at, timezone) === shown
  return new Date([before, after].toSorted((a, b) => a - b).find(isShown) ?? before)
}
