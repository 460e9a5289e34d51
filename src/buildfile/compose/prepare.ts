import type { PreparedText } from '../prepared-text.ts'

/**
 * Makes the text that is parsed: without byte order marks before words, without the indentation of the
 * first line that is not blank, without white space at both ends.
 */
export function prepare(file: string): PreparedText {
  const { text: unmarked, marks } = withoutMarks(file)
  const { text: dedented, indent, cuts } = dedent(withUsualSpace(unmarked))
  const text = dedented.trim()
  const before = text === '' ? 0 : dedented.indexOf(text.charAt(0))
  const lines = startsOnce(text)
  const fileLines = startsOnce(file)

  return {
    text,
    lineOf: (offset) => lastNotAfter(lines(), offset),
    written(offset) {
      const at = offset + before
      const cut = indent === 0 ? 0 : indent * (lastNotAfter(cuts, at) + 1)
      const unmarkedAt = at + cut
      const inFile = Math.min(unmarkedAt + lastNotAfter(marks, unmarkedAt) + 1, file.length)
      const line = lastNotAfter(fileLines(), inFile)
      return { offset: inFile, line: line + 1, column: inFile - (fileLines()[line] ?? 0) + 1 }
    },
  }
}

/** Removes byte order marks, which joined files may have inside; a mark within a word is part of the word. */
function withoutMarks(file: string): { text: string; marks: readonly number[] } {
  const marks: number[] = []
  const text = file.replaceAll(/(?<!\S)\uFEFF/g, (_mark, offset: number) => {
    marks.push(offset - marks.length)
    return ''
  })
  return { text, marks }
}

/**
 * Turns a single carriage return into a line break, and non-breaking spaces before the text of a line
 * into spaces. Offsets do not change.
 */
function withUsualSpace(text: string): string {
  const broken = text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text
  if (!broken.includes('\u00A0')) return broken
  return broken.replaceAll(/(^|\n)[ \u00A0]+/g, (blanks) => blanks.replaceAll('\u00A0', ' '))
}

interface Dedented {
  text: string
  indent: number
  /** Offsets, in the dedented text, of the lines that were moved to the left. */
  cuts: number[]
}

function dedent(text: string): Dedented {
  const first = text.search(/\S/)
  const start = text.lastIndexOf('\n', Math.max(first, 0)) + 1
  let indent = 0
  while (start + indent < first && text.charCodeAt(start + indent) === 0x20) indent += 1
  if (indent === 0) return { text, indent, cuts: [] }

  const blanks = ' '.repeat(indent)
  const cuts: number[] = []
  let at = 0
  const lines = text.split('\n').map((line) => {
    const moves = line.startsWith(blanks)
    if (moves) cuts.push(at)
    const kept = moves ? line.slice(indent) : line
    at += kept.length + 1
    return kept
  })
  return { text: lines.join('\n'), indent, cuts }
}

/** The offsets of a text's lines; computed at first use. */
function startsOnce(text: string): () => readonly number[] {
  let starts: number[] | undefined
  return () => (starts ??= [0, ...Array.from(text.matchAll(/\r\n?|\n/g), afterBreak)])
}

const afterBreak = (found: RegExpExecArray) => found.index + found[0].length

/** The index of the last number not greater than the limit, -1 if there is none; numbers ascend. */
function lastNotAfter(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
