/** Where the shown part of a text begins. */
export interface Tail {
  from: number
  /** Number of the first line shown, counted from 1. */
  first: number
}

/** How much of a log is shown, from its end. */
export interface TailLimits {
  lines: number
  characters: number
}

/** The end of a text, within limits of lines and characters. */
export function tailOf(text: string, { lines, characters }: TailLimits): Tail {
  const from = Math.max(startOfLines(text, lines), startOfCharacters(text, characters))
  return { from, first: 1 + countBreaks(text, from) }
}

/** Each line of a text from an offset on; a line break at the end does not make another line. */
export function* linesFrom(text: string, from: number): Generator<string> {
  let at = from
  while (at < text.length) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    yield text.slice(at, end)
    at = end + 1
  }
}

function startOfLines(text: string, most: number): number {
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = most; left > 0; left -= 1) {
    if (at === 0) return 0
    const before = text.lastIndexOf('\n', at - 1)
    if (before === -1) return 0
    at = before
  }
  return at + 1
}

/** Offset of the last `most` characters: at the next beginning of a line if any, else within a line. */
function startOfCharacters(text: string, most: number): number {
  if (text.length <= most) return 0
  const from = text.length - most
  const next = text.indexOf('\n', from - 1)
  return next === -1 || next + 1 >= text.length ? from : next + 1
}

function countBreaks(text: string, until: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}
