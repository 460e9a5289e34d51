import type { Message } from '../../buildfile/messages/message.ts'
import type { LintContext } from '../context/context.ts'
import { writtenIndex } from '../context/written.ts'
import type { ProposedFix } from '../rules/rule.ts'

/** Removes a key from its map, with its value and its line; comments stay. */
export function removeEntry(
  { at, args = {} }: Message,
  context: LintContext,
): ProposedFix | undefined {
  const [member, ...others] = (at && context.once(writtenIndex).members.get(at.start)) ?? []
  if (!at || !member || others.length > 0 || member.map.entries.length < 2) return undefined
  const { entry, map } = member
  const end = Math.max(entry.value.end, at.end)
  const { text } = context
  // An anchored value is used elsewhere.
  if (text.slice(at.start, end).includes('&') || entry.duplicate) return undefined
  const next = map.entries[map.entries.indexOf(entry) + 1]
  const edit = wholeLine(text, at.start, end) ?? upTo(next?.at.start, text, at.start, end)
  const title = `remove "${String(args.key)}"`
  return edit && { title, edits: [{ ...edit, text: '' }], safe: true }
}

/** The lines of an entry that is alone on them; if a comment follows, only the part before it. */
function wholeLine(text: string, start: number, end: number) {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const lineEnd = next < 0 ? text.length : next
  if (text.slice(lineStart, start).trim() !== '') return undefined
  const rest = text.slice(end, lineEnd)
  if (rest.trim().startsWith('#')) return { start, end: end + rest.indexOf('#') }
  if (rest.trim() !== '') return undefined
  return lineStart > 0
    ? {
        start: lineStart - lineBreakBefore(text, lineStart),
        end: lineEnd - Number(rest.endsWith('\r')),
      }
    : { start: 0, end: lineEnd + 1 }
}

const lineBreakBefore = (text: string, at: number) => (text.slice(0, at).endsWith('\r\n') ? 2 : 1)

/** Everything up to the next key, if only white space and a comma are between them. */
function upTo(next: number | undefined, text: string, start: number, end: number) {
  if (next === undefined || next < end || !/^\s*,?\s*$/.test(text.slice(end, next)))
    return undefined
  return { start, end: next }
}
