/** A build file, or a part of one, in its normal form. */
export type Config = Readonly<Record<string, unknown>>

/** A path in a configuration: keys, and indices of entries from 0. */
export type Path = readonly (string | number)[]

/** The line where the value at a path was written, from 1; null for a value that is not in the file. */
export type LineOf = (path: Path) => number | null

/** The source of the value at a path; undefined for the build file itself, and for missing values. */
export type SrcOf = (path: Path) => string | undefined

/** A single value counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Whether a value has no content at any depth. */
export function isBlank(value: unknown): boolean {
  if (isEmpty(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).every(isBlank)
}
