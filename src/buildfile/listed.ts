export type Path = readonly (string | number)[]

/** An entry, and the path in the build file that it stands at. */
export interface Located<Entry = unknown> {
  entry: Entry
  path: Path
}

/** More than a build may have jobs. Lists end here, for they are held against each other. */
const most = 500

/** A single value stands for a list of one; nulls, empty maps and empty lists count for nothing. */
export function listed(value: unknown, path: Path = []): Located[] {
  const entries = Array.isArray(value)
    ? value.slice(0, most).map((entry: unknown, index) => ({ entry, path: [...path, index] }))
    : [{ entry: value, path }]
  return entries.filter(({ entry }) => !isEmpty(entry))
}

export function entriesOf(value: unknown): unknown[] {
  return listed(value).map(({ entry }) => entry)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Text that is not empty, or null. Numbers are taken as they are written. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
