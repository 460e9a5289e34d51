import type { Tokens } from './token.ts'

/** Guesses at what is meant by a line that cannot be read. */

/** The rest of a line, of as much as any hint looks at. */
export function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end === -1 ? text.length : end, start + 200))
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/^(?:<{7}|={7}|>{7})/, 'Resolve the merge conflict whose marks are left here.'],
  [/^```/, 'Remove the lines with ```: they belong to Markdown, not to this file.'],
  [/^\/\//, 'A comment starts with "#".'],
  [/^-[^\s-]/, 'Put a blank behind the dash.'],
  [/^[\w.-]+:[^\s/]/, 'Put a blank behind the colon.'],
  [/^[\w.-]+\s*=/, 'Write "key: value", with a colon and a blank in place of "=".'],
]

/** For a line that neither is an entry nor has a key, behind a comment. */
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
  return 'Write straight quotes (" or \') in place of typographic ones.'
}

/** What is likely to be meant by a line that cannot be read; null where there is no guess. */
export function hintForLine(line: string): string | null {
  return hintForQuotes(line) ?? hints.find(([pattern]) => pattern.test(line))?.[1] ?? null
}
