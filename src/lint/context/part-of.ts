import type { Span } from '../../buildfile/tree/node.ts'
import type { Context } from './context.ts'
import type { FoundCondition } from './sections.ts'

/**
 * Where a part of a text is written, if the text takes several lines; nothing where that holds for
 * none of it or cannot be known, as behind escapes: then the text as a whole is the place.
 */
export function partOf(
  { text: file, spanOf }: Context,
  { text, path }: FoundCondition,
  part: { text: string; start: number },
): { at?: Span } {
  const span = spanOf(path)
  if (!span) return {}
  const written = file.slice(span.start, span.end)
  if (!written.trimEnd().includes('\n')) return {}
  // Blocks begin with a line of their own, other texts with a quote or at once.
  const from = /^(?:[|>].*\n|["']?)/.exec(written)?.[0].length ?? 0
  // Lines may be folded and indented: what stays the same are all characters but blanks.
  const signs = signsOf(written.slice(from))
  if (!signs.text.startsWith(signsOf(text).text) || part.text.trim() === '') return {}
  const before = signsOf(text.slice(0, part.start)).text.length
  const start = signs.places[before]
  const end = signs.places[before + signsOf(part.text).text.length - 1]
  if (start === undefined || end === undefined) return {}
  const first = span.start + from
  return { at: { start: first + start, end: first + end + 1 } }
}

/** The characters of a text but for blanks, and where each of them stands. */
function signsOf(text: string): { text: string; places: number[] } {
  const found = [...text.matchAll(/\S/g)]
  return { text: found.join(''), places: found.map(({ index }) => index) }
}
