const day = 24 * 60 * 60 * 1000

/** Days before its end from which a token ends soon; half the token's lifetime if that is less. */
export const soonDays = 7

/** Whether it is time to announce that a token ends. */
export function endsSoon(
  { created_at, expires_at }: { created_at: Date; expires_at: Date },
  now: Date,
): boolean {
  const left = expires_at.getTime() - now.getTime()
  return left < Math.min(soonDays * day, (expires_at.getTime() - created_at.getTime()) / 2)
}

/** `today`, `in 1 day`, `in 6 days`. */
export function whenItEnds(expires_at: Date, now: Date): string {
  const days = Math.floor((expires_at.getTime() - now.getTime()) / day)
  return days < 1 ? 'today' : `in ${days} day${days === 1 ? '' : 's'}`
}
