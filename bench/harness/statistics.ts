/** The value below which this share of the values lies (0.5 is the median). NaN when there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** As much of a number as is worth reading. */
export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
