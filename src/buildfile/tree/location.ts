import type { Entry, SeqNode, Span } from './node.ts'

/** Where a value belongs. Entries of a sequence share the location of the sequence. */
export interface Location {
  /** The location of the enclosing map; the root has none. */
  above?: Location
  /** The entry that holds the value; the root has none. */
  entry?: Entry
  /** The entries of the enclosing map that are known so far. */
  siblings?: readonly Entry[]
  /** Within a deployment whose provider is known: its name, for messages about the deployment's keys. */
  provider?: string
  /** For entries of a list whose key is being corrected: the key as it was written. */
  written?: string
  /** Whether the value came from nested lists: the keys below have no lines of their own. */
  flattened?: true
}

/** The location of the entries of a sequence, which is also the sequence's location. */
export function amongEntries(location: Location, flattened: SeqNode['flattened']): Location {
  return flattened && !location.flattened ? { ...location, flattened } : location
}

/** Keeps a list's key as written for its entries, because the list's own key may be corrected already. */
export function underWritten(location: Location): Location {
  const written = location.entry?.corrected?.written
  return written === undefined ? location : { ...location, written }
}

/** The line of the key that holds the value, unless it is lost. */
export function lineOf({ above, entry }: Location): number | undefined {
  for (let at = above; at; at = at.above) if (at.flattened) return undefined
  return entry?.line
}

/** The keys on the path to the location. A path never contains a name twice. */
export function pathTo(location: Location): string[] {
  const path: string[] = []
  for (let at: Location | undefined = location; at; at = at.above) {
    if (at.written !== undefined) path.push(at.written)
    if (at.entry) path.push(at.entry.key)
  }
  path.reverse()
  return new Set(path).size === path.length ? path : [...new Set(path)]
}

/** The innermost enclosing key that is written in a file. */
export function writtenAbove(location: Location): Entry | undefined {
  for (let at: Location | undefined = location; at; at = at.above) {
    if (at.entry && isWritten(at.entry.at)) return at.entry
  }
  return undefined
}

export const isWritten = ({ start }: Span): boolean => start >= 0
