import type { Message } from '../../buildfile/message.ts'
import type { MapNode } from '../../buildfile/node.ts'
import type { Context } from '../context.ts'
import type { Mend } from '../rules/rule.ts'
import { writtenIn, writtenIndex } from '../written.ts'
import { readScalar } from './scalar.ts'

/** Writes a key by the name that it is read by. */
export function renameKey(message: Message, context: Context): Mend | undefined {
  const { args = {} } = message
  // The key that wins over another one is given by another name of that one.
  const name = message.code === 'overwrite' ? args.other : args.key
  return typeof name === 'string' ? writeKey(message, name, context) : undefined
}

/** Undefined where the new name is taken, or where two keys would get it. */
export function writeKey({ at }: Message, name: string, context: Context): Mend | undefined {
  if (!at) return undefined
  const members = context.once(writtenIndex).members.get(at.start) ?? []
  const written = context.text.slice(at.start, at.end)
  if (members.length === 0 || !readScalar(written) || written === name) return undefined
  // The others of that name would stay behind.
  if (members.some(({ entry }) => entry.duplicate)) return undefined
  const names = context.once(finalNames)
  const counts = context.once(nameCounts)
  const isTaken = members.some(({ map, entry }) => {
    const own = (names.get(entry.at.start) ?? entry.key) === name ? 1 : 0
    return (counts.get(map)?.get(name) ?? 0) > own
  })
  if (isTaken) return undefined
  return { title: `write "${name}"`, edits: [{ ...at, text: name }], safe: true }
}

/** The names that keys are read by, where those are others than the written ones. */
function finalNames({ messages }: Context): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const { code, at, args = {} } of messages) {
    const isRenamed = /^(?:alias|strip|underscore|clean|find)_key$/.test(code)
    // A misspelt alias is corrected twice: what it comes to in the end is said last.
    if (isRenamed && at && typeof args.key === 'string') names.set(at.start, args.key)
  }
  return names
}

/** How many keys of a map are read by a name. */
function nameCounts(context: Context): ReadonlyMap<MapNode, ReadonlyMap<string, number>> {
  const names = context.once(finalNames)
  const maps = new Map<MapNode, Map<string, number>>()
  for (const { node } of writtenIn(context.root)) {
    if (node.kind !== 'map') continue
    const counts = new Map<string, number>()
    for (const { at, key } of node.entries) {
      const name = names.get(at.start) ?? key
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    maps.set(node, counts)
  }
  return maps
}
