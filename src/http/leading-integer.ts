/**
 * The integer that a parameter begins with; garbage counts as 0. No more than `most`,
 * since the database refuses what its columns cannot hold.
 */
export function leadingInteger(given: unknown, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof given === 'string' ? Number.parseInt(given, 10) || 0 : 0
  return Math.max(-most, Math.min(number, most))
}
