import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { writtenIndex } from '../context/written.ts'

/** Takes a key out of its map, with its value and its line; comments stay. */
export function removeEntry({ at, args = {} }: Message, context: Context): ProposedFix | undefined {
  const [member, ...others] = (at && context.once(writtenIndex).members.get(at.start)) ?? []
  if (!at || !member || others.length > 0 || member.map.entries.length < 2) return undefined
  const { entry, map } = member
  const end = Math.max(entry.value.end, at.end)
  const { text } = context
  // What carries a name is used elsewhere.
  if (text.slice(at.start, end).includes('&') || entry.duplicate) return undefined
  const next = map.entries[map.entries.indexOf(entry) + 1]
  const edit = wholeLine(text, at.start, end) ?? upTo(next?.at.start, text, at.start, end)
  const title = `remove "${String(args.key)}"`
  return edit && { title, edits: [{ ...edit, text: '' }], safe: true }
}

/** The lines of an entry that is alone on them; of a line with a comment only what is before. */
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

/** All before the next key, if there is nothing between them but blanks and a comma. */
function upTo(next: number | undefined, text: string, start: number, end: number) {
  if (next === undefined || next < end || !/^\s*,?\s*$/.test(text.slice(end, next)))
    return undefined
  return { start, end: next }
}
