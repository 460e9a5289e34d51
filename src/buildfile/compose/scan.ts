/** The state of splitting a text into tokens: the position of the next token, and its context. */
export interface Scan {
  readonly text: string
  at: number
  line: number
  lineStart: number
  /** Whether only white space precedes the next token on its line. */
  first: boolean
  /** Whether the white space before the next token has a tab. */
  tab: boolean
  /** Whether a line starts here, or a sign of an entry precedes, after which another sign can follow. */
  place: 'line' | 'entry' | 'inside'
  /** The indentation of the line, including the dashes of entries. */
  indent: number
  /** The minimum indentation of lines that continue a scalar of several lines. */
  least: number
  /** How many flow collections are open. */
  flows: number
  /** Whether a colon needs no white space after it, because a key precedes it: `{"a":1}`. */
  closed: boolean
}

export function openScan(text: string): Scan {
  return {
    text,
    at: 0,
    line: 0,
    lineStart: 0,
    first: true,
    tab: false,
    place: 'line',
    indent: 0,
    least: 0,
    flows: 0,
    closed: false,
  }
}

export function skipBlanks(scan: Scan): void {
  const { text } = scan
  for (;;) {
    const code = text.charCodeAt(scan.at)
    if (code === 0x09) scan.tab = true
    else if (code !== 0x20) return
    scan.at += 1
  }
}

/** Moves past the line break at the position. */
export function skipBreak(scan: Scan): void {
  scan.at += scan.text.charCodeAt(scan.at) === 0x0d ? 2 : 1
  scan.line += 1
  scan.lineStart = scan.at
  scan.first = true
  scan.tab = false
}

/** Moves to the end of the line. */
export function skipLine(scan: Scan): void {
  scan.at = lineEnd(scan.text, scan.at)
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  if (end === -1) return text.length
  return end > from && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
}

/** Moves past the given text at the position, which may have several lines. */
export function skipText(scan: Scan, text: string): void {
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    scan.line += 1
    scan.lineStart = scan.at + at + 1
  }
  scan.at += text.length
}

export const isBreak = (code: number) => code === 0x0a || code === 0x0d

/** White space, a line break, or the end of the text; other control characters do not occur. */
export const endsWord = (code: number) => !(code > 0x20)

/** The end of the spaces that start here; a tab is not included. */
export function afterBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === 0x20) at += 1
  return at
}

/** Whether the line that starts here begins with `---` or `...`, which end a document. */
export function isDocumentMark(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== 0x2d && code !== 0x2e) return false
  return (
    text.charCodeAt(at + 1) === code &&
    text.charCodeAt(at + 2) === code &&
    endsWord(text.charCodeAt(at + 3))
  )
}

/** Whether the line that starts here continues a scalar with this minimum indentation. */
export function continues(text: string, at: number, least: number): boolean {
  if (least === 0) return !isDocumentMark(text, at)
  const start = afterBlanks(text, at)
  return start - at >= least || isBreak(text.charCodeAt(start))
}
