/** Where something stands in the file as given: offset from 0, line and column from 1. */
export interface Written {
  offset: number
  line: number
  column: number
}

/** The text that is read, and the way back to the file as given. */
export interface Prepared {
  text: string
  /** The line of an offset, from 0 in the prepared text. */
  lineOf(offset: number): number
  written(offset: number): Written
}

/**
 * Makes the text that is read (build-config 1.1, CF-03): without a byte order mark, without the
 * indentation of its first line that is not blank, without white space at both ends.
 */
export function prepare(given: string): Prepared {
  const start = given.startsWith('\uFEFF') ? 1 : 0
  const body = given.slice(start)
  const first = /\S/.exec(body)?.index ?? body.length
  const lineStart = body.lastIndexOf('\n', first) + 1
  const indent = /^ */.exec(body.slice(lineStart, first))?.[0].length ?? 0
  const usesOddBlanks = /^[ \t]*\u00A0/m.test(body)
  if (indent === 0 && !usesOddBlanks) {
    const text = body.trim()
    return prepared(given, text, (offset) => offset + start + first)
  }

  const lines = body.split('\n').map((line) => withoutOddBlanks(line))
  const cut = lines.map((line) => (line.startsWith(' '.repeat(indent)) ? indent : 0))
  const shortened = lines.map((line, index) => line.slice(cut[index] ?? 0)).join('\n')
  const text = shortened.trim()
  const before = shortened.length - shortened.trimStart().length
  const starts = lineStarts(shortened)
  // What was cut from this line and all before it.
  const shifts: number[] = []
  for (const length of cut) shifts.push((shifts.at(-1) ?? 0) + length)
  return prepared(given, text, (offset) => {
    const inBody = offset + before
    return inBody + (shifts[lineIn(starts, inBody)] ?? 0) + start
  })
}

/** Non-breaking spaces before the text of a line count as spaces. */
function withoutOddBlanks(line: string): string {
  return line.replace(/^[ \t\u00A0]+/, (blanks) => blanks.replaceAll('\u00A0', ' '))
}

function prepared(given: string, text: string, inGiven: (offset: number) => number): Prepared {
  let starts: number[] | undefined
  let givenStarts: number[] | undefined
  return {
    text,
    lineOf(offset) {
      starts ??= lineStarts(text)
      return lineIn(starts, offset)
    },
    written(offset) {
      givenStarts ??= lineStarts(given)
      const at = Math.min(inGiven(offset), given.length)
      const line = lineIn(givenStarts, at)
      return { offset: at, line: line + 1, column: at - (givenStarts[line] ?? 0) + 1 }
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The index of the last start that is not after the offset. */
function lineIn(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
