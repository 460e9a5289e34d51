/** `YYYY-MM-DDThh:mm:ssZ`, as both generations write a time; null if there is none. */
export function time(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`
}

/** A time with milliseconds, as V3 writes the times of changes. */
export function preciseTime(date: Date): string {
  return date.toISOString()
}
