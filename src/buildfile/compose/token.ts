/** What stands at the cursor; white space, line breaks and comments are passed over. */
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

export interface Tokens {
  readonly text: string
  kind: TokenKind
  /** As written; of a block scalar its header. */
  source: string
  start: number
  end: number
  /** Of its start, both from 0. */
  line: number
  column: number
  /** Whether nothing but white space precedes it on its line. */
  first: boolean
  /** Whether there is a tab in the white space before it. */
  tab: boolean
  /** Where the token before it started and ended. */
  before: number
  after: number
  /** Where the text of a block scalar starts and, with its last line breaks, ends. */
  body: number
  bodyEnd: number
  /** Whether a flow collection is being read. */
  flow: boolean
  /** Whether indentation has no meaning for the lexer, since its text starts within a line. */
  lenient: boolean
  lexemes: Iterator<string, unknown>
  /** Of what the lexer gives next; `fresh` becomes `first`. */
  at: number
  atLine: number
  lineStart: number
  fresh: boolean
}

export const sees = (tokens: Tokens, kind: TokenKind) => tokens.kind === kind

/** Whether the document ends here. */
export const isEnd = ({ kind }: Tokens) => kind === 'end' || kind === '---' || kind === '...'
