import type { Span } from '../buildfile/tree/node.ts'
import type { LintContext } from './context/context.ts'
import { hideNamed } from './formats/secret-lines.ts'
import type { Advice } from './rules/rule.ts'

const quoted = /"((?:[^"\\]|\\.)*)"/g

/**
 * Returns an advice on `env` whose message repeats no text after the name of a secret in the lines of
 * its span, and that offers no fix with such text.
 */
export function hideValues(advice: Advice, context: LintContext, span: Span | undefined): Advice {
  if (!span || span.start < 0 || !advice.path.includes('env')) return advice
  const lines = linesAt(context.text, span)
  const shown = withoutNamed(lines, context)
  if (shown === lines) return advice
  const values = [...advice.message.matchAll(quoted)].map(([, value = '']) => unescaped(value))
  // Punctuation alone reveals nothing.
  const isHidden = (value: string) => /\w/.test(value) && !isIn(value, shown)
  // A value as read may be written differently.
  if (!values.some((value) => isHidden(value) && isIn(value, lines))) return advice
  const message = advice.message.replaceAll(quoted, (whole, value: string) =>
    isHidden(unescaped(value)) ? '"[secure]"' : whole,
  )
  const { fix: _fix, ...others } = advice
  const path = advice.path.map((key) =>
    typeof key === 'string' && isHidden(key) && isIn(key, lines) ? '[secure]' : key,
  )
  return { ...others, message, path }
}

/** Lines without texts after the names of secrets. Many advices are about the same lines. */
function withoutNamed(lines: string, { once }: LintContext): string {
  const known = once(knownLines)
  const shown = known.get(lines) ?? hideNamed(lines.split('\n'), () => '').join('\n')
  known.set(lines, shown)
  return shown
}

const knownLines = () => new Map<string, string>()

function linesAt(text: string, { start, end }: Span): string {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end)
  return text.slice(from, to < 0 ? text.length : to)
}

/** Messages cut long values, and end them with `…`. */
const isIn = (value: string, text: string) =>
  text.includes(value.endsWith('…') ? value.slice(0, -1) : value)

const unescaped = (value: string) => value.replaceAll(String.raw`\"`, '"')
