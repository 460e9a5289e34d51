import { takeBlock } from './block-token.ts'
import { badDirective } from './mistakes.ts'
import { endsInFlow, nameEnd, plainEnd, quotedEnd, tagEnd } from './scalar-ends.ts'
import {
  afterBlanks,
  endsWord,
  isBreak,
  isDocumentMark,
  openScan,
  type Scan,
  skipBlanks,
  skipBreak,
  skipLine,
  skipText,
} from './scan.ts'
import type { Token, TokenKind, Tokens } from './token.ts'

/** Opens a cursor at the first token. */
export function openTokens(text: string): Tokens {
  const scan = openScan(text)
  const start = tokenTo(scan, 'end', 0)
  skipDirectives(scan)
  return { text, current: nextToken(scan), previous: start, scan }
}

/** Moves on to the next token. */
export function advance(tokens: Tokens): void {
  tokens.previous = tokens.current
  tokens.current = nextToken(tokens.scan)
}

/** An independent cursor at the same token. */
export function lookAhead(tokens: Tokens): Tokens {
  return { ...tokens, scan: { ...tokens.scan } }
}

/** Takes the plain text at the cursor again, with this minimum indentation for its other lines. */
export function takeAgain(tokens: Tokens, least: number): void {
  const { scan, current } = tokens
  const { start, line, column, first, tab } = current
  Object.assign(scan, { at: start, line, lineStart: start - column, first, tab, least })
  tokens.current = takePlain(scan)
}

/** Skips directives, which are at the very start of a file, where only comments precede them. */
function skipDirectives(scan: Scan): void {
  const { text } = scan
  for (;;) {
    if (text.charCodeAt(scan.at) === 0x25) {
      directive.lastIndex = scan.at
      if (!directive.test(text)) throw badDirective(scan.at)
    } else {
      const code = text.charCodeAt(afterBlanks(text, scan.at))
      if (code !== 0x23 && !isBreak(code)) return
    }
    skipLine(scan)
    if (scan.at === text.length) return
    skipBreak(scan)
  }
}

const directive = /%(?:YAML|TAG)[ \t]+[^\s#]/y

function nextToken(scan: Scan): Token {
  scan.tab = false
  if (scan.flows > 0) return nextInFlow(scan)
  const { text } = scan
  for (;;) {
    const opening = scan.place === 'inside' ? undefined : takeOpening(scan)
    if (opening) return opening
    skipBlanks(scan)
    const { at } = scan
    const code = text.charCodeAt(at)
    switch (code) {
      case 0x0a: // a line break
      case 0x0d:
        skipBreak(scan)
        scan.place = 'line'
        break
      case 0x23: // a comment
        skipLine(scan)
        break
      case 0x2d: // -
      case 0x3a: // :
      case 0x3f: // ?
        if (!endsWord(text.charCodeAt(at + 1))) return takePlain(scan)
        scan.least = scan.indent + 1
        return takeSign(scan, code)
      case 0x7c: // |
      case 0x3e: // >
        return takeBlock(scan)
      default:
        return takeNode(scan, code)
    }
  }
}

/** Takes a token that only occurs at the start of a line: a document mark, or the sign of an entry. */
function takeOpening(scan: Scan): Token | undefined {
  const { text, at } = scan
  if (scan.place === 'entry') {
    skipBlanks(scan)
    scan.indent += scan.at - at
  } else {
    if (isDocumentMark(text, at)) return takeDocumentMark(scan)
    scan.at = afterBlanks(text, at)
    scan.indent = scan.at - at
    if (scan.least > scan.indent && isText(text.charCodeAt(scan.at))) scan.least = scan.indent
  }
  scan.place = 'inside'
  const code = text.charCodeAt(scan.at)
  const isSign = code === 0x2d || code === 0x3a || code === 0x3f
  if (!isSign || !endsWord(text.charCodeAt(scan.at + 1))) return undefined
  scan.place = 'entry'
  scan.indent += 1
  scan.least = scan.indent
  return takeSign(scan, code)
}

/** Whether text may start with this: comments are not text, and block scalars (`|`, `>`) start below. */
const isText = (code: number) => !endsWord(code) && code !== 0x23 && code !== 0x7c && code !== 0x3e

function takeDocumentMark(scan: Scan): Token {
  const { text, at } = scan
  scan.place = 'inside'
  scan.indent = 0
  scan.least = 0
  return take(scan, text.charCodeAt(at) === 0x2d ? '---' : '...', at + 3)
}

/** Takes a token in a flow collection, where lines can have any indentation. */
function nextInFlow(scan: Scan): Token {
  const { text } = scan
  for (;;) {
    skipBlanks(scan)
    const { at } = scan
    const code = text.charCodeAt(at)
    switch (code) {
      case 0x0a: // a line break
      case 0x0d:
        skipBreak(scan)
        if (isDocumentMark(text, scan.at)) return take(scan, 'stray', scan.at)
        break
      case 0x23: // a comment
        skipLine(scan)
        break
      case 0x2c: // ,
        scan.closed = false
        return takeSign(scan, code)
      case 0x3a: // :
        if (!scan.closed && !endsInFlow(text.charCodeAt(at + 1))) return takePlain(scan)
        scan.closed = false
        return takeSign(scan, code)
      case 0x2d: // -
      case 0x3f: // ?
        scan.closed = false
        return endsInFlow(text.charCodeAt(at + 1)) ? takeSign(scan, code) : takePlain(scan)
      default:
        return takeNode(scan, code)
    }
  }
}

/** Takes a token that is the same inside and outside of flow collections. */
function takeNode(scan: Scan, code: number): Token {
  const { text, at } = scan
  switch (code) {
    case 0x21: // !
      return take(scan, 'tag', tagEnd(text, at))
    case 0x26: // &
      return take(scan, 'anchor', nameEnd(text, at))
    case 0x2a: // *
      return take(scan, 'alias', nameEnd(text, at))
    case 0x22: // "
      return takeQuoted(scan, 'double')
    case 0x27: // '
      return takeQuoted(scan, 'single')
    case 0x5b: // [
    case 0x7b: // {
      scan.flows += 1
      scan.closed = false
      return takeSign(scan, code)
    case 0x5d: // ]
    case 0x7d: // }
      scan.flows = Math.max(scan.flows - 1, 0)
      scan.closed = true
      return takeSign(scan, code)
    default:
      return at < text.length ? takePlain(scan) : take(scan, 'end', at)
  }
}

const takeSign = (scan: Scan, code: number) => take(scan, signs.get(code) ?? 'stray', scan.at + 1)

const signs: ReadonlyMap<number, TokenKind> = new Map(
  (['-', '?', ':', ',', '[', ']', '{', '}'] as const).map((sign) => [sign.charCodeAt(0), sign]),
)

function takePlain(scan: Scan): Token {
  const { text, at, flows } = scan
  scan.closed = false
  return takeLines(scan, 'plain', plainEnd(text, at, flows > 0 ? 0 : scan.least, flows > 0))
}

function takeQuoted(scan: Scan, kind: 'single' | 'double'): Token {
  const { end, closed } = quotedEnd(scan.text, scan.at)
  scan.closed = true
  return takeLines(scan, closed ? kind : 'unclosed', end)
}

/** Takes a token that may have several lines. */
function takeLines(scan: Scan, kind: TokenKind, end: number): Token {
  const token = tokenTo(scan, kind, end)
  scan.first = false
  skipText(scan, token.source)
  return token
}

function take(scan: Scan, kind: TokenKind, end: number): Token {
  const token = tokenTo(scan, kind, end)
  scan.first = false
  scan.at = end
  return token
}

function tokenTo(scan: Scan, kind: TokenKind, end: number): Token {
  const { text, at: start, line, lineStart, first, tab } = scan
  const source = text.slice(start, end)
  const column = start - lineStart
  return { kind, source, start, end, line, column, first, tab, body: undefined }
}
