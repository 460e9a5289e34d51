/** A position in the file as written: offset from 0, line and column from 1. */
export interface FilePosition {
  offset: number
  line: number
  column: number
}

/** The text that is parsed, and the mapping from it back to the file as written. */
export interface PreparedText {
  readonly text: string
  /** The line of an offset, from 0 in the prepared text. */
  lineOf: (offset: number) => number
  /** The position of an offset in the file. */
  written: (offset: number) => FilePosition
}
