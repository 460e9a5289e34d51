/** Characters that a secret value must have to be masked in logs. */
const shortestMasked = 4

const common = new Set(['true', 'false', 'null', 'none', 'undefined', 'enabled', 'disabled'])

/**
 * Whether a value is masked at all. Short values, common words and small numbers are not: they
 * would black out half of a log and hide nothing.
 */
export function isMasked(value: string): boolean {
  if (value.length < shortestMasked || common.has(value.toLowerCase())) return false
  return !isSmallNumber(value)
}

function isSmallNumber(value: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(value) && Math.abs(Number(value)) < 1000
}
