import type { Entry, SeqNode, Span } from './node.ts'

/** Where a value belongs. Entries of a sequence share the location of the sequence. */
export interface Location {
  /** That of the map around it; the root has none. */
  above?: Location
  /** Holds the value; the root is held by nothing. */
  entry?: Entry
  /** The entries of the map around it, as far as they are known. */
  siblings?: readonly Entry[]
  /** Of a deployment whose provider is known: its name, which messages about its keys give. */
  provider?: string
  /** Of the entries of a list whose key is being corrected: the key as it was written. */
  written?: string
  /** It came out of lists in lists: the keys below have no lines of their own. */
  flattened?: true
}

/** The location of the entries of a sequence, which is also that of the sequence. */
export function amongEntries(location: Location, flattened: SeqNode['flattened']): Location {
  return flattened && !location.flattened ? { ...location, flattened } : location
}

/** The line of the key that holds the value, unless it is lost. */
export function lineOf({ above, entry }: Location): number | undefined {
  for (let at = above; at; at = at.above) if (at.flattened) return undefined
  return entry?.line
}

/** The keys that lead there. A path never holds a name twice. */
export function pathTo(location: Location): string[] {
  const path: string[] = []
  for (let at: Location | undefined = location; at; at = at.above) {
    if (at.written !== undefined) path.push(at.written)
    if (at.entry) path.push(at.entry.key)
  }
  path.reverse()
  return new Set(path).size === path.length ? path : [...new Set(path)]
}

/** The innermost key above that is written somewhere. */
export function writtenAbove(location: Location): Entry | undefined {
  for (let at: Location | undefined = location; at; at = at.above) {
    if (at.entry && isWritten(at.entry.at)) return at.entry
  }
  return undefined
}

export const isWritten = ({ start }: Span): boolean => start >= 0
