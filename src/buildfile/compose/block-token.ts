import { type Lexemes, nextLexeme, skipBreak, skipText } from './lexemes.ts'
import { tabIndents, textBehindHeader } from './mistakes.ts'
import type { Token } from './token.ts'

/** Takes a literal or folded block: its header is the lexeme given, its text follows. */
export function takeBlock(lexemes: Lexemes, header: string): Token {
  const { at: start, line, lineStart, first, tab } = lexemes
  lexemes.at += header.length
  skipRestOfLine(lexemes, header)
  const body = takeBody(lexemes)
  const end = endOfText(lexemes.text, body.start, body.end) ?? start + header.length
  lexemes.first = true
  const column = start - lineStart
  return { kind: 'block', source: header, start, end, line, column, first, tab, body }
}

/** White space, a comment and the line break behind a header, up to the mark before its text. */
function skipRestOfLine(lexemes: Lexemes, header: string): void {
  for (;;) {
    const lexeme = nextLexeme(lexemes)
    const code = lexeme.charCodeAt(0)
    if (lexeme === '' || code === 0x1f) return
    if (isBreak(code)) {
      skipBreak(lexemes, lexeme)
      continue
    }
    const isComment = code === 0x23
    if (!isBlank(code) && !isComment) throw textBehindHeader(lexemes.at, header)
    lexemes.at += lexeme.length
  }
}

function takeBody(lexemes: Lexemes) {
  const start = lexemes.at
  const body = nextLexeme(lexemes)
  skipText(lexemes, body)
  const end = lexemes.at
  // The lexer adds white space behind the block that has tabs in it, up to a text.
  if (end < lexemes.text.length && body !== '' && !body.endsWith('\n')) {
    throw tabIndents({ start: end })
  }
  return { start, end }
}

/** Where the last line of a block ends that says something; undefined where none does. */
function endOfText(text: string, start: number, end: number): number | undefined {
  let at = end
  while (at > start && isBreak(text.charCodeAt(at - 1))) at -= 1
  return at > start ? at : undefined
}

const isBlank = (code: number) => code === 0x20 || code === 0x09
const isBreak = (code: number) => code === 0x0a || code === 0x0d
