/** What a regular expression is made of. `written` is how RE2 writes it. */
export type Piece = Characters | Assertion | Group | Repetition

/** One character out of a set. */
export interface Characters {
  kind: 'characters'
  written: string
  /** The only one, where there is only one. */
  character?: number
}

/** An assertion, which takes no character. */
export interface Assertion {
  kind: 'assertion'
  written: string
}

export interface Group {
  kind: 'group'
  alternatives: Piece[][]
  ignoreCase: boolean
  /** What was matched once is not given up again. */
  atomic: boolean
  look: 'behind' | 'not behind' | null
  /** Where it starts, from 0 in the expression. */
  start: number
}

/** Lazy or not: that does not change whether something is found. */
export interface Repetition {
  kind: 'repetition'
  of: Piece
  min: number
  max: number
  possessive: boolean
  start: number
}

/** How many instructions it takes about, with what it repeats written out. */
export function sizeOf(piece: Piece): number {
  if (piece.kind === 'group') {
    return sum(piece.alternatives.map((pieces) => 1 + sum(pieces.map(sizeOf))))
  }
  if (piece.kind !== 'repetition') return 1
  return 1 + sizeOf(piece.of) * (piece.max === Infinity ? piece.min + 1 : piece.max)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
