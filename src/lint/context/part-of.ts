import type { Span } from '../../buildfile/tree/node.ts'
import type { LintContext } from './context.ts'
import type { FoundCondition } from './sections.ts'

/**
 * Where a part of a text is written, if the text takes several lines. Empty if it takes only one or if
 * the position is unknown, as after escapes: then the position is that of the whole text.
 */
export function partOf(
  { text: file, spanOf }: LintContext,
  { text, path }: FoundCondition,
  part: { text: string; start: number },
): { at?: Span } {
  const span = spanOf(path)
  if (!span) return {}
  const written = file.slice(span.start, span.end)
  if (!written.trimEnd().includes('\n')) return {}
  // Block scalars start after their header line, other texts after an optional quote.
  const from = /^(?:[|>].*\n|["']?)/.exec(written)?.[0].length ?? 0
  // Lines may be folded and indented: only the characters other than white space stay the same.
  const signs = signsOf(written.slice(from))
  if (!signs.text.startsWith(signsOf(text).text) || part.text.trim() === '') return {}
  const before = signsOf(text.slice(0, part.start)).text.length
  const start = signs.places[before]
  const end = signs.places[before + signsOf(part.text).text.length - 1]
  if (start === undefined || end === undefined) return {}
  const first = span.start + from
  return { at: { start: first + start, end: first + end + 1 } }
}

/** The characters of a text without white space, and the index of each. */
function signsOf(text: string): { text: string; places: number[] } {
  const found = [...text.matchAll(/\S/g)]
  return { text: found.join(''), places: found.map(({ index }) => index) }
}
