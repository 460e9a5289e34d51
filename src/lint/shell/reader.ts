/** A text and the current reading position. */
export interface ShellReader {
  readonly text: string
  at: number
  /** Number of substitutions around: bash may read an error within them in another way. */
  substitutions: number
  /** Number of lists, brackets and quotes around. */
  depth: number
}

/** Deepest nesting that is read. */
const deepest = 50

/** Reads one level deeper. */
export function deeper<Result>(reader: ShellReader, read: () => Result): Result {
  if (reader.depth >= deepest) unknown()
  reader.depth += 1
  const result = read()
  reader.depth -= 1
  return result
}

/** The text that bash refuses, and its position. */
export interface Refused {
  kind: 'stray' | 'unclosed' | 'unexpected' | 'quote' | 'missing' | 'empty' | 'follows' | 'bracket'
  /** The word that is refused, or the opening word that is not closed. */
  found: string
  /** The word that bash expects, or the opening word. */
  other: string
  start: number
}

/** Ends the reading: with the text that bash refuses, or without a result at syntax not known here. */
export class Stop extends Error {
  readonly refused: Refused | undefined
  constructor(refused?: Refused) {
    super('the text was not read to its end')
    this.refused = refused
  }
}

const gaveUp = new Stop()

export function unknown(): never {
  throw gaveUp
}

/** Ends with the text that bash refuses; within a substitution, ends without a result. */
export function refuse(reader: ShellReader, refused: Refused): never {
  throw reader.substitutions > 0 ? gaveUp : new Stop(refused)
}

export const isAtEnd = ({ text, at }: ShellReader) => at >= text.length

/** Whether one of these characters is here. */
export function isAt({ text, at }: ShellReader, characters: string): boolean {
  return at < text.length && characters.includes(text.charAt(at))
}

/** Skips the text that a sticky pattern matches here, and returns it. */
export function take(reader: ShellReader, pattern: RegExp): string {
  const found = peek(reader, pattern)
  reader.at += found.length
  return found
}

/** Skips the text that a pattern must match here, or gives up. */
export function need(reader: ShellReader, pattern: RegExp): void {
  if (take(reader, pattern) === '') unknown()
}

export function peek({ text, at }: ShellReader, pattern: RegExp): string {
  pattern.lastIndex = at
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : ''
}

const blanks = /(?:[ \t]|\\\n)*(?:#[^\n]*)?/y
const space = /(?:\s|\\\n|(?<![^\s;&|()])#[^\n]*)*/y

/** Skips blanks, and a comment after them. */
export function skipBlanks(reader: ShellReader): void {
  if (isAt(reader, ' \t\\#')) take(reader, blanks)
}

/** Like `skipBlanks`, but skips line breaks too. */
export const skipSpace = (reader: ShellReader) => void take(reader, space)
