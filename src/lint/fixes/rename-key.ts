import type { Message } from '../../buildfile/messages/message.ts'
import type { LintContext } from '../context/context.ts'
import { writtenIndex } from '../context/written.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { finalNames, nameCounts } from './names.ts'
import { readScalar } from './scalar.ts'

/** Renames a key to the name that it is read as. */
export function renameKey(message: Message, context: LintContext): ProposedFix | undefined {
  const { args = {} } = message
  // With `overwrite`, the key that wins is an alternative name of the other key.
  const name = message.code === 'overwrite' ? args.other : args.key
  return typeof name === 'string' ? writeKey(message, name, context) : undefined
}

/** Undefined if the new name is taken, or if two keys would get it. */
export function writeKey(
  { at }: Message,
  name: string,
  context: LintContext,
): ProposedFix | undefined {
  if (!at) return undefined
  const members = context.once(writtenIndex).members.get(at.start) ?? []
  const written = context.text.slice(at.start, at.end)
  if (members.length === 0 || !readScalar(written) || written === name) return undefined
  // The other keys of that name would not be renamed.
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

/** Offsets of keys that stay unknown although a name was found, as in a list where a map is expected. */
function unreadKeys({ messages }: LintContext): ReadonlySet<number> {
  const starts = messages.map(({ code, at }) => (code === 'unknown_key' ? at?.start : undefined))
  return new Set(starts.filter((start) => start !== undefined))
}
