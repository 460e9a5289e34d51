import type { Span } from '../../buildfile/tree/node.ts'
import type { LintContext } from './context.ts'
import type { FoundText } from './texts.ts'

/**
 * The position of a part of a text, if the text takes several lines. Empty if it takes one line, or if the
 * position is unknown, as after escapes: then the finding has the position of the whole text.
 */
export function partOf(
  { text: file, spanOf }: LintContext,
  { text, path }: FoundText,
  part: { text: string; start: number },
): { at?: Span } {
  const span = spanOf(path)
  if (!span) return {}
  const written = file.slice(span.start, span.end)
  if (!written.trimEnd().includes('\n')) return {}
  // Block scalars start after their header line, other texts after an optional quote.
  const from = /^(?:[|>].*\n|["']?)/.exec(written)?.[0].length ?? 0
  // Lines may be folded and indented: only the characters other than white space stay the same.
  const signs = written.slice(from)
  if (!withoutSpace(signs).startsWith(withoutSpace(text)) || part.text.trim() === '') return {}
  const before = withoutSpace(text.slice(0, part.start)).length
  const start = placeOf(before, signs)
  const end = placeOf(before + withoutSpace(part.text).length - 1, signs)
  if (start === undefined || end === undefined) return {}
  const first = span.start + from
  return { at: { start: first + start, end: first + end + 1 } }
}

const withoutSpace = (text: string) => text.replaceAll(/\s+/g, '')

/** The index in a text of one of its characters, counted without white space. */
function placeOf(character: number, text: string): number | undefined {
  let before = 0
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (character < before + word.length) return index + character - before
    before += word.length
  }
  return undefined
}
