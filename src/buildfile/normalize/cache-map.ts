import { reportValue } from '../messages/report.ts'
import { candidatesFrom, findMeant } from '../misspellings/misspelling.ts'
import { perType } from '../schema/values/per-type.ts'
import type { MapType } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import {
  type Entry,
  type MapNode,
  type Node,
  nowhere,
  type SeqNode,
  type StrNode,
} from '../tree/node.ts'
import { cast } from './cast.ts'
import type { Changing } from './changing.ts'

/** Normalizes the values allowed under `cache`: names of strategies, paths, maps, or a list of them. */
export function cacheMap(node: Node, type: MapType, location: Location, changing: Changing): Node {
  if (node.kind === 'seq') return joined(node, type)
  if (node.kind !== 'str') return node
  const name = strategyIn(node, type, location, changing)
  return mapOf(node, [cacheEntry(node, name)])
}

function cacheEntry(node: StrNode, name: string | undefined): Entry {
  return name === undefined
    ? { key: 'directories', value: listOf(node, [node]), at: nowhere }
    : { key: name, value: on(node), at: nowhere }
}

function strategyIn(node: StrNode, type: MapType, location: Location, changing: Changing) {
  const { value: original } = node
  const names = strategies(type)
  if (names.texts.has(original)) return original
  const value = changing.options.fix ? findMeant(original, names) : undefined
  if (value === undefined) return undefined
  const args = { original, value }
  reportValue(changing, location, node, { level: 'info', code: 'find_value', args })
  return value
}

const strategies = perType(({ keys }: MapType) =>
  candidatesFrom(Object.keys(keys).filter((key) => key !== 'edge' && keys[key]?.kind === 'bool')),
)

/**
 * Lists of directories are joined; of other values the last one counts. A text is only a strategy if it
 * equals the strategy's name: any other text may well be a directory.
 */
function joined(seq: SeqNode, type: MapType): Node {
  const entries = new Map<string, Entry>()
  const lists = new Map<string, ReturnType<typeof newList>>()
  for (const { key, value, at } of seq.items.flatMap((item) => entriesOf(item))) {
    if (value.kind !== 'seq') {
      entries.set(key, { key, value, at })
      lists.delete(key)
      continue
    }
    const list = lists.get(key) ?? newList(value)
    lists.set(key, list)
    entries.set(key, { key, value: list.add(value.items), at })
  }
  return mapOf(seq, [...entries.values()])

  function entriesOf(item: Node): Entry[] {
    const node = cast(item, 'str')
    if (node.kind === 'str') return [cacheEntry(node, exactName(node.value))]
    if (node.kind === 'seq') return node.items.flatMap(entriesOf)
    return node.kind === 'map' ? node.entries.map((entry) => switchedOn(entry, type)) : []
  }

  function exactName(text: string): string | undefined {
    return strategies(type).texts.has(text) ? text : undefined
  }
}

function newList({ start, end }: Node) {
  const list: SeqNode = { kind: 'seq', items: [], start, end }
  const known = new Set<unknown>()
  return {
    add(items: readonly Node[]): SeqNode {
      for (const item of items) {
        const text = item.kind === 'str' ? item.value : item
        if (!known.has(text)) list.items.push(item)
        known.add(text)
      }
      return list
    },
  }
}

/** In a list, naming a strategy switches it on, whatever its value is. */
function switchedOn(entry: Entry, type: MapType): Entry {
  return strategies(type).texts.has(entry.key) ? { ...entry, value: on(entry.value) } : entry
}

function on({ start, end }: Node): Node {
  return { kind: 'bool', value: true, start, end }
}

function listOf({ start, end }: Node, items: Node[]): SeqNode {
  return { kind: 'seq', items, start, end }
}

function mapOf({ start, end }: Node, entries: Entry[]): MapNode {
  return { kind: 'map', entries, start, end }
}
