import { tabIndents, textBehindHeader } from './mistakes.ts'
import {
  afterBlanks,
  continues,
  endsWord,
  isBreak,
  type Scan,
  skipBlanks,
  skipBreak,
  skipLine,
  skipText,
} from './scan.ts'
import type { Token } from './token.ts'

/** Takes the literal or folded block whose header is here, including the text that follows. */
export function takeBlock(scan: Scan): Token {
  const { text, at: start, line, lineStart, first, tab } = scan
  scan.at = headerEnd(text, start)
  const source = text.slice(start, scan.at)
  skipRestOfLine(scan, source)
  const body = takeBody(scan, source)
  const end = endOfText(text, body.start, body.end) ?? start + source.length
  scan.first = true
  scan.place = 'line'
  const column = start - lineStart
  return { kind: 'block', source, start, end, line, column, first, tab, body }
}

function headerEnd(text: string, start: number): number {
  let at = start
  while (!endsWord(text.charCodeAt(at)) && text.charCodeAt(at) !== 0x23) at += 1
  return at
}

/** Skips white space, a comment and the line break after a header. */
function skipRestOfLine(scan: Scan, header: string): void {
  skipBlanks(scan)
  const code = scan.text.charCodeAt(scan.at)
  if (code === 0x23) skipLine(scan)
  else if (!endsWord(code)) throw textBehindHeader(scan.at, header)
  if (scan.at < scan.text.length) skipBreak(scan)
}

function takeBody(scan: Scan, header: string) {
  const { text, at: start } = scan
  const end = bodyEnd(scan, header)
  skipText(scan, text.slice(start, end))
  // The body includes white space with tabs after the block, up to the next text.
  if (end < text.length && end > start && text.charCodeAt(end - 1) !== 0x0a) {
    throw tabIndents({ start: end })
  }
  return { start, end }
}

/** The end of the body that starts here, including its last line break. */
function bodyEnd(scan: Scan, header: string): number {
  const { text, at: start } = scan
  const first = firstLine(text, start)
  let indent = afterBlanks(text, first) - first
  let end = first
  if (indent >= scan.least) {
    const given = /[1-9]/.exec(header)?.[0]
    if (given !== undefined) indent = Number(given) - 1 + Math.max(scan.least, 1)
    scan.least = indent
    while (end < text.length && continues(text, end, scan.least)) end = nextLine(text, end)
  }
  const behind = afterBlanks(text, end)
  if (text.charCodeAt(behind) === 0x09) return afterSpace(text, behind)
  if (header.includes('+') || end === text.length) return end
  return withoutEmptyLines(text, start, end, indent)
}

/** The start of the first line with content. */
function firstLine(text: string, from: number): number {
  let start = from
  for (;;) {
    const at = afterBlanks(text, start)
    if (!isBreak(text.charCodeAt(at))) return start
    start = nextLine(text, at)
  }
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at + 1
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && endsWord(text.charCodeAt(at))) at += 1
  return at
}

/** The end without trailing lines that are empty, or have white space only up to the block's indentation. */
function withoutEmptyLines(text: string, start: number, end: number, indent: number): number {
  let last = end
  for (;;) {
    let lineEnd = last - 1
    if (text.charCodeAt(lineEnd - 1) === 0x0d) lineEnd -= 1
    let at = lineEnd
    while (text.charCodeAt(at - 1) === 0x20) at -= 1
    if (at <= start || text.charCodeAt(at - 1) !== 0x0a || lineEnd - at > indent) return last
    last = at
  }
}

/** The end of the last line with content in a block; undefined if there is none. */
function endOfText(text: string, start: number, end: number): number | undefined {
  let at = end
  while (at > start && isBreak(text.charCodeAt(at - 1))) at -= 1
  return at > start ? at : undefined
}
