import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { writtenIndex } from '../context/written.ts'
import { finalNames, nameCounts } from './names.ts'
import { readScalar } from './scalar.ts'

/** Writes a key by the name that it is read by. */
export function renameKey(message: Message, context: Context): ProposedFix | undefined {
  const { args = {} } = message
  // The key that wins over another one is given by another name of that one.
  const name = message.code === 'overwrite' ? args.other : args.key
  return typeof name === 'string' ? writeKey(message, name, context) : undefined
}

/** Undefined where the new name is taken, or where two keys would get it. */
export function writeKey({ at }: Message, name: string, context: Context): ProposedFix | undefined {
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
  const safe = !context.once(unreadKeys).has(at.start)
  return { title: `write "${name}"`, edits: [{ ...at, text: name }], safe }
}

/** Keys in a list where a map is wanted are not read by another name, though one was found. */
function unreadKeys({ messages }: Context): ReadonlySet<number> {
  const starts = messages.map(({ code, at }) => (code === 'unknown_key' ? at?.start : undefined))
  return new Set(starts.filter((start) => start !== undefined))
}
