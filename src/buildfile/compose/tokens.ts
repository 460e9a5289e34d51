import { Lexer } from 'yaml'
import { badDirective, tabIndents, textBehindHeader } from './mistakes.ts'
import type { TokenKind, Tokens } from './token.ts'

/** The cursor stands at the first token. */
export function openTokens(text: string): Tokens {
  const tokens: Tokens = {
    text,
    kind: 'end',
    source: '',
    start: 0,
    end: 0,
    line: 0,
    column: 0,
    first: true,
    tab: false,
    before: 0,
    after: 0,
    body: 0,
    bodyEnd: 0,
    flow: false,
    lenient: false,
    lexemes: new Lexer().lex(text),
    at: 0,
    atLine: 0,
    lineStart: 0,
    fresh: true,
  }
  advance(tokens)
  return tokens
}

/** Thrown where the lexer gives up on a flow collection that is less indented than its key. */
export const outdented = Symbol('outdented flow collection')

const [tabCode, newlineCode, returnCode, spaceCode] = [0x09, 0x0a, 0x0d, 0x20]

/** Moves on to the next token. */
export function advance(tokens: Tokens): void {
  tokens.before = tokens.start
  tokens.after = tokens.end
  tokens.tab = false
  for (;;) {
    const step = tokens.lexemes.next()
    if (step.done) return take(tokens, 'end', '')
    const lexeme = step.value
    switch (lexeme.charCodeAt(0)) {
      case tabCode:
      case spaceCode:
        if (!tokens.tab) tokens.tab = lexeme.includes('\t')
        tokens.at += lexeme.length
        break
      case newlineCode:
      case returnCode:
        tokens.at += lexeme.length
        tokens.atLine += 1
        tokens.lineStart = tokens.at
        tokens.fresh = true
        tokens.tab = false
        break
      case 0x23: // #
        tokens.at += lexeme.length
        break
      case 0x02: // a document starts
        break
      case 0x18: // the lexer gives up on a flow collection
        if (!tokens.lenient) throw outdented
        return take(tokens, 'stray', '')
      case 0x1f: {
        // A plain scalar follows; in a flow collection it may be missing.
        const plain = nextLexeme(tokens)
        if (plain !== '') return take(tokens, 'plain', plain)
        break
      }
      case 0x22: // "
        return takeQuoted(tokens, 'double', lexeme)
      case 0x27: // '
        return takeQuoted(tokens, 'single', lexeme)
      case 0x7c: // |
      case 0x3e: // >
        return takeBlock(tokens, lexeme)
      case 0x25: // %
        takeDirective(tokens, lexeme)
        break
      default:
        return take(tokens, kinds.get(lexeme.charCodeAt(0)) ?? 'stray', lexeme)
    }
  }
}

const kinds: ReadonlyMap<number, TokenKind> = new Map(
  (
    [
      ['-', '-'],
      ['?', '?'],
      [':', ':'],
      [',', ','],
      ['[', '['],
      [']', ']'],
      ['{', '{'],
      ['}', '}'],
      ['*', 'alias'],
      ['&', 'anchor'],
      ['!', 'tag'],
      ['.', '...'],
    ] as const
  ).map(([character, kind]) => [character.charCodeAt(0), kind]),
)

function take(tokens: Tokens, kind: TokenKind, source: string): void {
  tokens.kind = kind === '-' && source.length > 1 ? '---' : kind
  tokens.source = source
  tokens.start = tokens.at
  tokens.line = tokens.atLine
  tokens.column = tokens.at - tokens.lineStart
  tokens.first = tokens.fresh
  tokens.fresh = false
  tokens.at += source.length
  tokens.end = tokens.at
  if (source.includes('\n')) countLines(tokens, source)
}

function countLines(tokens: Tokens, source: string): void {
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) {
    tokens.atLine += 1
    tokens.lineStart = tokens.end - source.length + at + 1
  }
}

function nextLexeme(tokens: Tokens): string {
  const step = tokens.lexemes.next()
  return step.done ? '' : step.value
}

/**
 * The lexer ends a quoted scalar where a line is indented less than it should be, or with tabs.
 * That is allowed, though, so such a scalar is given to a lexer that knows of no indentation.
 */
function takeQuoted(tokens: Tokens, kind: 'single' | 'double', lexeme: string): void {
  if (isClosed(lexeme)) return take(tokens, kind, lexeme)
  if (tokens.lenient) return take(tokens, 'unclosed', lexeme)
  if (tokens.flow) throw outdented
  restart(tokens, tokens.at)
  let whole = nextLexeme(tokens)
  if (whole === '\u0002') whole = nextLexeme(tokens)
  take(tokens, isClosed(whole) ? kind : 'unclosed', whole)
  restart(tokens, tokens.end)
}

function isClosed(source: string): boolean {
  const quote = source.charAt(0)
  const escape = quote === '"' ? '\\' : quote
  const last = source.length - 1
  if (last === 0 || source.charAt(last) !== quote) return false
  let at = last
  while (at > 1 && source.charAt(at - 1) === escape) at -= 1
  return (last - at) % 2 === 0
}

/** Goes on at this offset, as if a text without indentation started there. */
export function restart(tokens: Tokens, offset: number): void {
  tokens.lexemes = new Lexer().lex(tokens.text.slice(offset))
  tokens.at = offset
}

/** Goes back to a flow collection, to have its text lexed by itself. */
export function rewind(
  tokens: Tokens,
  { start, line, lineStart }: Pick<Tokens, 'start' | 'line' | 'lineStart'>,
): void {
  restart(tokens, start)
  tokens.lenient = true
  tokens.atLine = line
  tokens.lineStart = lineStart
  advance(tokens)
}

function takeBlock(tokens: Tokens, header: string): void {
  take(tokens, 'block', header)
  for (;;) {
    const lexeme = nextLexeme(tokens)
    const code = lexeme.charCodeAt(0)
    if (lexeme === '' || code === 0x1f) break
    if (code !== spaceCode && code !== tabCode && code !== newlineCode && code !== returnCode) {
      if (code !== 0x23) throw textBehindHeader(tokens.at, header)
    }
    tokens.at += lexeme.length
    if (code === newlineCode || code === returnCode) {
      tokens.atLine += 1
      tokens.lineStart = tokens.at
      tokens.fresh = true
    }
  }
  const body = nextLexeme(tokens)
  tokens.body = tokens.at
  tokens.at += body.length
  tokens.bodyEnd = tokens.at
  tokens.end = tokens.at
  countLines(tokens, body)
  // The lexer adds white space behind the block that has tabs in it, up to a text.
  if (tokens.at < tokens.text.length && body !== '' && !body.endsWith('\n')) {
    throw tabIndents({ start: tokens.at })
  }
  tokens.fresh = true
  tokens.end = beforeBreaks(tokens, header)
}

/** Where the last line of a block scalar ends that says something. */
function beforeBreaks({ text, body, bodyEnd, start }: Tokens, header: string): number {
  let at = bodyEnd
  while (at > body && isBreak(text.charCodeAt(at - 1))) at -= 1
  return at > body ? at : start + header.length
}

const isBreak = (code: number) => code === newlineCode || code === returnCode

/** Directives stand at the very start of a file, and `---` follows them. */
function takeDirective(tokens: Tokens, lexeme: string): void {
  const line = tokens.text.slice(tokens.at, tokens.at + lexeme.length)
  if (tokens.end > 0 || !/^%(?:YAML|TAG)\s/.test(line)) throw badDirective(tokens.at)
  tokens.at += lexeme.length
}
