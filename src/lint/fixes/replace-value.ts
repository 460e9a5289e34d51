import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { isPlain, readScalar } from './scalar.ts'

/** Writes a value as it is read. */
export function replaceValue(
  { code, args = {}, at }: Message,
  { text }: Context,
): ProposedFix | undefined {
  const from = String(code === 'alias_value' ? args.alias : (args.original ?? args.value))
  const to = code === 'downcase' ? from.toLowerCase() : String(args.value)
  const written = at && readScalar(text.slice(at.start, at.end))
  // What is written otherwise came by an alias, or in another form.
  if (!at || !written || written.value !== from) return undefined
  const { quote } = written
  if (quote === '' && !isPlain(to)) return undefined
  const edits = [{ ...at, text: `${quote}${to}${quote}` }]
  return { title: `write "${to}"`, edits, safe: true }
}
