/**
 * The integer that a parameter begins with; garbage counts as 0. Limited to `most`, because the database
 * rejects numbers that do not fit its columns.
 */
export function leadingInteger(value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  const number = isScalar ? Number.parseInt(String(value), 10) || 0 : 0
  return Math.max(-most, Math.min(number, most))
}
