/** A build file, or a part of one, in its normal form. */
export type Config = Readonly<Record<string, unknown>>

/** A path in it: keys, and indices of entries from 0. */
export type Path = readonly (string | number)[]

/** The line of the file that the value at a path was written in, from 1; null for what it lacks. */
export type LineOf = (path: Path) => number | null

/** The source that it was written in; undefined for the build file itself, and for what it lacks. */
export type SrcOf = (path: Path) => string | undefined

/** A single value stands for a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Nothing is in it, however deep one looks. */
export function isBlank(value: unknown): boolean {
  if (isEmpty(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).every(isBlank)
}
