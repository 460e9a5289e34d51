import type { Message } from '../../buildfile/messages/message.ts'
import type { Node } from '../../buildfile/tree/node.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { writtenIndex } from '../context/written.ts'

/** Writes the one entry of a list without the list. With several, it is not clear what is meant. */
export function unwrapSequence({ at, key }: Message, context: Context): ProposedFix | undefined {
  const node = at && context.once(writtenIndex).sequences.get(at.start)
  const [item, ...others] = node?.items ?? []
  if (!node || !item || others.length > 0 || item.start < node.start) return undefined
  // Of lists in lists it is not always the innermost value that counts.
  if (item.kind === 'seq' || context.once(innerSequences).has(node)) return undefined
  const { text } = context
  // A provider that is read brings the keys beside it to life.
  const safe = key.at(-1) !== 'provider' && !isMisread(node, context)
  const title = 'write the entry without a list'
  if (text.startsWith('-', node.start)) {
    // A blank instead of it keeps every column below it.
    const edits = [{ start: node.start, end: node.start + 1, text: ' ' }]
    return { title, edits, safe }
  }
  const inner = text.slice(item.start, item.end)
  if (!text.startsWith('[', node.start) || !isWhole(item, inner)) return undefined
  return { title, edits: [{ start: node.start, end: node.end, text: inner }], safe }
}

/** A map without braces is one only within brackets. */
function isWhole({ kind }: Node, written: string): boolean {
  return kind === 'map' || kind === 'secure' ? written.startsWith('{') : written !== ''
}

/** Whether something in a list is not understood that may well be without the list. */
function isMisread({ start, end }: Node, { once }: Context): boolean {
  const starts = once(misreadStarts)
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return (starts[low] ?? end) < end
}

function misreadStarts({ messages }: Context): readonly number[] {
  const misread = messages.flatMap(({ code, at }) =>
    at && (code === 'unknown_key' || code === 'invalid_type') ? [at.start] : [],
  )
  return misread.toSorted((one, other) => one - other)
}

function innerSequences(context: Context): ReadonlySet<Node> {
  const { sequences } = context.once(writtenIndex)
  return new Set([...sequences.values()].flatMap(({ items }) => items))
}
