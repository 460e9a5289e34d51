import type { Message } from '../../buildfile/messages/message.ts'
import type { Node } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { writtenIndex } from '../context/written.ts'
import type { ProposedFix } from '../rules/rule.ts'

/** Replaces a list of one entry with the entry. With several entries, the meaning is not clear. */
export function unwrapSequence(
  { at, key }: Message,
  context: LintContext,
): ProposedFix | undefined {
  const node = at && context.once(writtenIndex).sequences.get(at.start)
  const [item, ...others] = node?.items ?? []
  if (!node || !item || others.length > 0 || item.start < node.start) return undefined
  // In nested lists, the innermost value is not always the one read.
  if (item.kind === 'seq' || context.once(innerSequences).has(node)) return undefined
  const { text } = context
  // Once a provider is read, the keys next to it take effect.
  const safe = key.at(-1) !== 'provider' && !isMisread(node, context)
  const title = 'write the entry without a list'
  if (text.startsWith('-', node.start)) {
    // A space instead of the dash keeps every column below.
    const edits = [{ start: node.start, end: node.start + 1, text: ' ' }]
    return { title, edits, safe }
  }
  const inner = text.slice(item.start, item.end)
  if (!text.startsWith('[', node.start) || !isWhole(item, inner)) return undefined
  return { title, edits: [{ start: node.start, end: node.end, text: inner }], safe }
}

/** A map without braces is valid only within brackets. */
function isWhole({ kind }: Node, written: string): boolean {
  return kind === 'map' || kind === 'secure' ? written.startsWith('{') : written !== ''
}

/** Whether a list contains something that is not understood, but might be understood without the list. */
function isMisread({ start, end }: Node, { once }: LintContext): boolean {
  const starts = once(misreadStarts)
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return (starts[low] ?? end) < end
}

function misreadStarts({ messages }: LintContext): readonly number[] {
  const misread = messages.flatMap(({ code, at }) =>
    at && (code === 'unknown_key' || code === 'invalid_type') ? [at.start] : [],
  )
  return misread.toSorted((one, other) => one - other)
}

function innerSequences(context: LintContext): ReadonlySet<Node> {
  const { sequences } = context.once(writtenIndex)
  return new Set([...sequences.values()].flatMap(({ items }) => items))
}
