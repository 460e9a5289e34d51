import { instantOf, type WallTime, wallTimeAt } from './time/zoned-time.ts'

export const cronIntervals = ['daily', 'weekly', 'monthly'] as const
export type CronInterval = (typeof cronIntervals)[number]

/** When a cron runs: at the same local time each day, week or month, starting with the first run. */
export interface CronPlan {
  interval: CronInterval
  /** `HH:MM` in the timezone; null for the time of the first run. */
  start_at: string | null
  timezone: string
  /** The first run. All others are computed from it, so that they never drift. */
  planned_at: Date
}

/** A schedule for regular builds of a repository's branch. */
export interface Cron extends CronPlan {
  id: number
  repository_id: number
  branch_id: number
  dont_run_if_recent_build_exists: boolean
  active: boolean
  /** Why the cron no longer runs. */
  inactive_reason: string | null
  last_run: Date | null
  next_run: Date
  created_at: Date
}

/** Seconds between the creation of a cron and its first run, if `start_at` is not set. */
const firstPause = 60

/** The first run of a new cron. */
export function firstRun(
  { start_at, timezone }: Pick<CronPlan, 'start_at' | 'timezone'>,
  now: Date,
): Date {
  if (start_at === null) {
    return new Date((Math.floor(now.getTime() / 1000) + firstPause) * 1000)
  }
  const today = { ...wallTimeAt(now, timezone), ...timeIn(start_at) }
  const first = instantOf(today, timezone)
  return first > now ? first : instantOf({ ...today, day: today.day + 1 }, timezone)
}

/** The first planned run after the time `after`. */
export function nextRun(plan: CronPlan, after: Date): Date {
  const { interval, planned_at, timezone, start_at } = plan
  const first = wallTimeAt(planned_at, timezone)
  const start = start_at === null ? first : { ...first, ...timeIn(start_at) }
  let count = Math.max(1, atLeast(interval, planned_at, after))
  for (;;) {
    const next = instantOf(later(start, interval, count), timezone)
    if (next > after) return next
    count += 1
  }
}

const day = 24 * 60 * 60_000

/** Lower bound for the number of intervals passed; clock changes are shorter than a day. */
function atLeast(interval: CronInterval, from: Date, to: Date): number {
  const days = Math.floor((to.getTime() - from.getTime()) / day) - 1
  if (interval === 'daily') return days
  return Math.floor(days / (interval === 'weekly' ? 7 : 31))
}

function later(start: WallTime, interval: CronInterval, count: number): WallTime {
  if (interval !== 'monthly') {
    return { ...start, day: start.day + count * (interval === 'weekly' ? 7 : 1) }
  }
  const month = start.month + count
  // A month without this day uses its last day; later months use the day itself again.
  const lastDay = new Date(Date.UTC(start.year, month, 0)).getUTCDate()
  return { ...start, month, day: Math.min(start.day, lastDay) }
}

function timeIn(start_at: string): Pick<WallTime, 'hour' | 'minute' | 'second'> {
  const [hour = 0, minute = 0] = start_at.split(':').map(Number)
  return { hour, minute, second: 0 }
}
