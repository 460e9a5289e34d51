import { reportMap } from '../messages/report.ts'
import { firstKeys, isAccepted, isCustom } from '../schema/values/accepted-keys.ts'
import type { MapType } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import { type Entry, type MapNode, nowhere } from '../tree/node.ts'
import type { Changing } from './changing.ts'
import { correctKey } from './correct-key.ts'

/** Keys that the service itself once left in build files. */
const leftover = /^\W*(?:configured|result|fetching_failed|parsing_failed)\W*$/

/** Puts keys in order, and corrects them to names that the map knows. */
export function changeKeys(
  map: MapNode,
  type: MapType,
  location: Location,
  changing: Changing,
): MapNode {
  const first = firstKeysFor(type, changing)
  if (first.length === 0 && map.entries.every(({ key }) => isAccepted(type, key))) return map
  const entries = inOrder(map.entries, first)
  for (const entry of [...entries.values()]) {
    const { key } = entry
    if (isAccepted(type, key) || isCustom(key)) continue
    const { corrected, aliased } = correctKey(entry, type, location, changing)
    if (corrected === key) continue
    entries.delete(key)
    if (aliased !== undefined && entries.has(corrected)) {
      const args = { key: aliased, other: corrected }
      reportMap(changing, location, { level: 'error', code: 'overwrite', args }, entry)
    }
    // If the right key exists too, the corrected key takes its place.
    entries.set(corrected, renamed(entry, corrected, entries.get(corrected)))
  }
  return { ...map, entries: [...entries.values()] }
}

function renamed(entry: Entry, key: string, there: Entry | undefined): Entry {
  const replaced = there?.corrected?.replaced ?? there
  return { ...entry, key, corrected: { written: entry.key, replaced } }
}

function firstKeysFor(type: MapType, { options }: Changing): readonly string[] {
  return options.defaults ? firstKeys(type) : (type.required ?? [])
}

function inOrder(written: readonly Entry[], first: readonly string[]): Map<string, Entry> {
  const entries = new Map<string, Entry>(first.map((key) => [key, absent(key)]))
  for (const entry of written) if (!leftover.test(entry.key)) entries.set(entry.key, entry)
  return entries
}

function absent(key: string): Entry {
  return { key, value: { kind: 'none', ...nowhere }, at: nowhere }
}
