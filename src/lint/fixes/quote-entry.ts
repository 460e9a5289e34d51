import type { Message } from '../../buildfile/messages/message.ts'
import { becameMap } from '../catalogue/became-map.ts'
import type { LintContext } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'

/** Puts quotes around a text that became a map because of a colon in it. */
export function quoteEntry(message: Message, { text }: LintContext): ProposedFix | undefined {
  const { at, args = {}, key } = message
  if (!at || !becameMap(args, key)) return undefined
  const written = text.slice(at.start, at.end)
  // A value that begins with brackets, quotes, an anchor or a tag is meant as written.
  if (!/^[^\s"'&*!|>[\]{}#,@`%?:-]/.test(written) || written.includes('\n')) return undefined
  const quoted = `'${written.replaceAll("'", "''")}'`
  return { title: 'put quotes around the entry', edits: [{ ...at, text: quoted }], safe: false }
}
