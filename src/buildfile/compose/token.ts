import type { Span } from '../tree/node.ts'
import type { Scan } from './scan.ts'

/** White space, line breaks and comments are not tokens. */
export type TokenKind =
  | 'end'
  | '---'
  | '...'
  | '-'
  | '?'
  | ':'
  | ','
  | '['
  | ']'
  | '{'
  | '}'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'plain'
  | 'single'
  | 'double'
  | 'block'
  | 'unclosed'
  | 'stray'

export interface Token extends Readonly<Span> {
  readonly kind: TokenKind
  /** The text as written; for a block scalar its header. */
  readonly source: string
  /** Line and column of its start, from 0. */
  readonly line: number
  readonly column: number
  /** Whether nothing but white space precedes it on its line. */
  readonly first: boolean
  /** Whether there is a tab in the white space before it. */
  readonly tab: boolean
  /** The text of a block scalar, with its last line breaks. */
  readonly body: Readonly<Span> | undefined
}

/** A cursor that moves over the tokens of a text. */
export interface Tokens {
  readonly text: string
  /** The token at the cursor. */
  current: Token
  /** The token before the current token. */
  previous: Token
  readonly scan: Scan
}

export const sees = ({ current }: Tokens, kind: TokenKind) => current.kind === kind

/** Whether the document ends here. */
export const isEnd = ({ current: { kind } }: Tokens) =>
  kind === 'end' || kind === '---' || kind === '...'
