import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { isAboutSecret } from '../without-values.ts'
import { losesWords } from './loses-words.ts'
import { isPlain, readScalar } from './scalar.ts'

/** Writes a value as it is read; on request alone where words are lost, which may be meant elsewhere. */
export function replaceValue(message: Message, { text }: Context): ProposedFix | undefined {
  const { code, args = {}, at } = message
  const from = String(code === 'alias_value' ? args.alias : (args.original ?? args.value))
  const to = code === 'downcase' ? from.toLowerCase() : String(args.value)
  const written = at && readScalar(text.slice(at.start, at.end))
  // What is written otherwise came by an alias, or in another form.
  if (!at || !written || written.value !== from) return undefined
  const { quote } = written
  if (quote === '' && !isPlain(to)) return undefined
  const edits = [{ ...at, text: `${quote}${to}${quote}` }]
  const title = isAboutSecret(message) ? 'write it as it is read' : `write "${to}"`
  return { title, edits, safe: code !== 'clean_value' || !losesWords(from, to) }
}
