import { Lexer } from 'yaml'

/** The pieces that the lexer cuts a text into, and the position of the next one. */
export interface Lexemes {
  readonly text: string
  pieces: Iterator<string, unknown>
  at: number
  line: number
  lineStart: number
  /** Whether nothing but white space precedes it on its line. */
  first: boolean
  /** Whether there is a tab in the white space before it. */
  tab: boolean
}

export function openLexemes(text: string): Lexemes {
  const pieces = new Lexer().lex(text)
  return { text, pieces, at: 0, line: 0, lineStart: 0, first: true, tab: false }
}

/** The next piece, which may be a mark that stands for no text; empty at the end. */
export function nextLexeme({ pieces }: Lexemes): string {
  const step = pieces.next()
  return step.done ? '' : step.value
}

/** Hands the rest of the text to a new lexer, for which indentation starts anew. */
export function relexFrom(lexemes: Lexemes, offset: number): void {
  lexemes.pieces = new Lexer().lex(lexemes.text.slice(offset))
  lexemes.at = offset
}

/** Moves past a line break. */
export function skipBreak(lexemes: Lexemes, lexeme: string): void {
  lexemes.at += lexeme.length
  lexemes.line += 1
  lexemes.lineStart = lexemes.at
  lexemes.first = true
  lexemes.tab = false
}

/** Moves past a text, which may have several lines. */
export function skipText(lexemes: Lexemes, lexeme: string): void {
  const start = lexemes.at
  lexemes.at += lexeme.length
  for (let at = lexeme.indexOf('\n'); at !== -1; at = lexeme.indexOf('\n', at + 1)) {
    lexemes.line += 1
    lexemes.lineStart = start + at + 1
  }
}
