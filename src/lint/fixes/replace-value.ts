import type { Message } from '../../buildfile/messages/message.ts'
import type { LintContext } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'
import { isAboutSecret } from '../without-values.ts'
import { losesWords } from './loses-words.ts'
import { isPlain, readScalar } from './scalar.ts'

/** Writes a value as it is read; only on request if words are lost, which may belong elsewhere. */
export function replaceValue(message: Message, { text }: LintContext): ProposedFix | undefined {
  const { code, args = {}, at } = message
  const from = String(code === 'alias_value' ? args.alias : (args.original ?? args.value))
  const to = code === 'downcase' ? from.toLowerCase() : String(args.value)
  const written = at && readScalar(text.slice(at.start, at.end))
  // A value that is written differently came from an alias, or has another form.
  if (!at || !written || written.value !== from) return undefined
  const { quote } = written
  if (quote === '' && !isPlain(to)) return undefined
  const edits = [{ ...at, text: `${quote}${to}${quote}` }]
  const title = isAboutSecret(message) ? 'write it as it is read' : `write "${to}"`
  return { title, edits, safe: code !== 'clean_value' || !losesWords(from, to) }
}
