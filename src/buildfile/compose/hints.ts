import type { Tokens } from './token.ts'

/** Guesses at the meaning of lines that cannot be read. */

/** The rest of a line, up to the length that hints need. */
export function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end === -1 ? text.length : end, start + 200))
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/^(?:<{7}|={7}|>{7})/, 'Resolve the merge conflict whose marks are left here.'],
  [/^```/, 'Remove the lines with ```: they belong to Markdown, not to this file.'],
  [/^\/\//, 'A comment starts with "#".'],
  [/^-[^\s-]/, 'Put a space after the dash.'],
  [/^[\w.-]+:[^\s/]/, 'Put a space after the colon.'],
  [/^[\w.-]+\s*=/, 'Write "key: value", with a colon and a space instead of "=".'],
]

/** A hint for a line after a comment that is not an entry and has no key; null if there is none. */
export function hintForComment({ text, previous, current: { start } }: Tokens): string | null {
  if (!text.slice(previous.end, start).includes('#')) return null
  if (/^(?:-(?!-)|\S+\s*:(?:\s|$))/.test(lineFrom(text, start))) return null
  return (
    'If it goes on with the comment, start it with "#". If it goes on with the value above, move the ' +
    'comment above its key: a comment ends a value.'
  )
}

export function hintForQuotes(line: string): string | null {
  if (!/^[\u2018-\u201f]/.test(line)) return null
  return 'Write straight quotes (" or \') instead of typographic ones.'
}

/** A guess at the meaning of a line that cannot be read; null if there is none. */
export function hintForLine(line: string): string | null {
  return hintForQuotes(line) ?? hints.find(([pattern]) => pattern.test(line))?.[1] ?? null
}
