import { takeBlock } from './block-token.ts'
import { type Lexemes, nextLexeme, openLexemes, relexFrom, skipBreak, skipText } from './lexemes.ts'
import { badDirective } from './mistakes.ts'
import type { Token, TokenKind, Tokens } from './token.ts'

/** The cursor is at the first token. */
export function openTokens(text: string): Tokens {
  const lexemes = openLexemes(text)
  const start = tokenFrom(lexemes, 'end', '')
  const current = nextToken(lexemes, start)
  return { text, current, previous: start, lexemes }
}

/** Moves on to the next token. */
export function advance(tokens: Tokens): void {
  tokens.previous = tokens.current
  tokens.current = nextToken(tokens.lexemes, tokens.current)
}

/**
 * Has the flow collection that starts at the cursor lexed as a text of its own, so that its lines
 * may be indented as they like. The lexer would give up on lines that are indented too little.
 */
export function relexFlow({ text, lexemes, current }: Tokens): void {
  if (endsOnLine(text, current.start)) return
  relexFrom(lexemes, current.start)
  // The mark of a document, and the bracket, which is at the cursor already.
  nextLexeme(lexemes)
  lexemes.at += nextLexeme(lexemes).length
}

/** Whether a flow collection ends on its line. False where quotes or a comment may hide brackets. */
function endsOnLine(text: string, start: number): boolean {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '[':
      case '{':
        depth += 1
        break
      case ']':
      case '}':
        depth -= 1
        if (depth === 0) return true
        break
      case '\n':
      case '"':
      case "'":
      case '#':
        return false
    }
  }
  return false
}

function nextToken(lexemes: Lexemes, last: Token): Token {
  lexemes.tab = false
  for (;;) {
    const lexeme = nextLexeme(lexemes)
    if (lexeme === '') return takeToken(lexemes, 'end', '')
    switch (lexeme.charCodeAt(0)) {
      case 0x09: // white space
      case 0x20:
        if (!lexemes.tab) lexemes.tab = lexeme.includes('\t')
        lexemes.at += lexeme.length
        break
      case 0x0a: // a line break
      case 0x0d:
        skipBreak(lexemes, lexeme)
        break
      case 0x23: // a comment
        lexemes.at += lexeme.length
        break
      case 0x02: // a document starts
        break
      case 0x18: // the lexer gives up on a flow collection
        return takeToken(lexemes, 'stray', '')
      case 0x1f: {
        // A plain scalar follows; in a flow collection it may be missing.
        const plain = nextLexeme(lexemes)
        if (plain !== '') return takeToken(lexemes, 'plain', plain)
        break
      }
      case 0x22: // "
        return takeQuoted(lexemes, 'double', lexeme)
      case 0x27: // '
        return takeQuoted(lexemes, 'single', lexeme)
      case 0x7c: // |
      case 0x3e: // >
        return takeBlock(lexemes, lexeme)
      case 0x25: // %
        skipDirective(lexemes, last, lexeme)
        break
      case 0x2d: // -
        return takeToken(lexemes, lexeme.length > 1 ? '---' : '-', lexeme)
      default:
        return takeToken(lexemes, kinds.get(lexeme.charCodeAt(0)) ?? 'stray', lexeme)
    }
  }
}

const kinds: ReadonlyMap<number, TokenKind> = new Map(
  (
    [
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

function takeToken(lexemes: Lexemes, kind: TokenKind, source: string): Token {
  const token = tokenFrom(lexemes, kind, source)
  lexemes.first = false
  skipText(lexemes, source)
  return token
}

function tokenFrom(lexemes: Lexemes, kind: TokenKind, source: string): Token {
  const { at: start, line, lineStart, first, tab } = lexemes
  const end = start + source.length
  const column = start - lineStart
  return { kind, source, start, end, line, column, first, tab, body: undefined }
}

/**
 * The lexer ends a quoted scalar where a line is indented less than it should be, or with tabs.
 * That is allowed, though, so such a scalar goes to a lexer that knows of no indentation.
 */
function takeQuoted(lexemes: Lexemes, kind: 'single' | 'double', lexeme: string): Token {
  if (isClosed(lexeme)) return takeToken(lexemes, kind, lexeme)
  relexFrom(lexemes, lexemes.at)
  let whole = nextLexeme(lexemes)
  if (whole === '\u0002') whole = nextLexeme(lexemes)
  return takeToken(lexemes, isClosed(whole) ? kind : 'unclosed', whole)
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

/** Directives stand at the very start of a file, and `---` follows them. */
function skipDirective(lexemes: Lexemes, last: Token, lexeme: string): void {
  const { text, at } = lexemes
  const isDirective = /^%(?:YAML|TAG)\s/.test(text.slice(at, at + lexeme.length))
  if (last.end > 0 || !isDirective) throw badDirective(at)
  lexemes.at += lexeme.length
}
