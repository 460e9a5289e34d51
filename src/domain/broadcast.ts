/** Maximum number of days for which a broadcast is shown. */
export const longestDays = 14

/** Why a broadcast cannot end at a time; undefined if it can. */
export function wrongEnd(end: Date, now: Date): string | undefined {
  if (end <= now) return 'is in the past: give a future time'
  const last = new Date(now.getTime() + longestDays * 24 * 3600 * 1000)
  if (end <= last) return undefined
  const latest = `${last.toISOString().slice(0, 16)}Z`
  return `is more than ${longestDays} days ahead: give ${latest} at the latest, and announce it again then`
}
