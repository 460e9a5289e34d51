import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { becameMap } from '../catalogue/became-map.ts'

/** Puts quotes around a text that became a map by a colon in it. */
export function quoteEntry(message: Message, { text }: Context): ProposedFix | undefined {
  const { at, args = {}, key } = message
  if (!at || !becameMap(args, key)) return undefined
  const written = text.slice(at.start, at.end)
  // What has brackets, quotes, an anchor or a tag at its beginning was meant as it stands.
  if (!/^[^\s"'&*!|>[\]{}#,@`%?:-]/.test(written) || written.includes('\n')) return undefined
  const quoted = `'${written.replaceAll("'", "''")}'`
  return { title: 'put quotes around the entry', edits: [{ ...at, text: quoted }], safe: false }
}
