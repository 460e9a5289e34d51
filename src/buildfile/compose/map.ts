import type { Entry } from '../tree/node.ts'

/** The entries of a map while it is read. */
export interface Entries {
  list: Entry[]
  /** Entries by key, once there are too many to search one by one. */
  index: Map<string, Entry> | undefined
  /** The keys that came by `<<`: writing them again is allowed. */
  merged: Set<string> | undefined
}

export const noEntries = (): Entries => ({ list: [], index: undefined, merged: undefined })

const fewEntries = 8

function find({ list, index }: Entries, key: string): Entry | undefined {
  if (index) return index.get(key)
  for (const entry of list) if (entry.key === key) return entry
  return undefined
}

function push(entries: Entries, entry: Entry): void {
  entries.list.push(entry)
  if (entries.index) entries.index.set(entry.key, entry)
  else if (entries.list.length > fewEntries) {
    entries.index = new Map(entries.list.map((each) => [each.key, each]))
  }
}

/** Adds an entry; for a repeated key the last value counts, at the position of the first. */
export function addEntry(entries: Entries, entry: Entry): void {
  const first = find(entries, entry.key)
  if (!first) return push(entries, entry)
  first.value = entry.value
  if (entries.merged?.delete(entry.key)) first.rewritten = entry.at
  else if (entry.key !== '<<') first.duplicate = entry.at
}

/** Merges the entries of other maps at a `<<`; of two maps the first wins. */
export function mergeEntries(entries: Entries, maps: readonly (readonly Entry[])[]): void {
  const together = noEntries()
  for (const map of maps.toReversed()) {
    for (const entry of map) mergeEntry(together, entry)
  }
  entries.merged ??= new Set()
  for (const entry of together.list) {
    if (!mergeEntry(entries, entry)) entries.merged.add(entry.key)
  }
}

/** Whether the key already existed; it then keeps its position and line. */
function mergeEntry(entries: Entries, { key, value, line, at }: Entry): boolean {
  const first = find(entries, key)
  if (first) first.value = value
  else push(entries, { key, value, at, ...(line !== undefined && { line }) })
  return first !== undefined
}
