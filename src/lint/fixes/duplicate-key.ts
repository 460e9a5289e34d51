import type { Message } from '../../buildfile/messages/message.ts'
import type { Entry } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { writtenIndex } from '../context/written.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { finalNames, nameCounts } from './names.ts'

/** Removes a key that is repeated in identical words; a different value may be missed if removed. */
export function fixDuplicateKey(
  { at, args = {} }: Message,
  context: LintContext,
): ProposedFix | undefined {
  const entry = at && context.once(writtenIndex).duplicates.get(at.start)
  if (!entry?.duplicate || !isAlone(entry, context)) return undefined
  const { text } = context
  const first = lineAt(text, entry.at.start)
  const last = lineAt(text, entry.duplicate.start)
  if (!first || !last || first.text !== last.text || first.text.includes('&')) return undefined
  const title = `remove the first "${String(args.key)}"`
  return { title, edits: [{ start: first.start, end: first.end, text: '' }], safe: true }
}

/** Whether no other key of a map is read by that name: the order of two such keys matters. */
function isAlone({ key, at }: Entry, context: LintContext): boolean {
  const name = context.once(finalNames).get(at.start) ?? key
  const members = context.once(writtenIndex).members.get(at.start) ?? []
  const counts = context.once(nameCounts)
  return members.every(({ map }) => counts.get(map)?.get(name) === 1)
}

interface Line {
  text: string
  start: number
  /** Offset after its line break. */
  end: number
}

/** The line of a key that is alone on it, and whose value does not continue below. */
function lineAt(text: string, at: number): Line | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const next = text.indexOf('\n', at)
  const end = next < 0 ? text.length : next + 1
  const [, below = '', sign] = /^(?:[ \t\r]*(?:#.*)?\n)*( *)([^\s#])/.exec(text.slice(end)) ?? []
  if (below.length > at - start || (sign === '-' && below.length === at - start)) return undefined
  if (text.slice(start, at).trim() !== '') return undefined
  return { text: text.slice(start, end).trimEnd(), start, end }
}
