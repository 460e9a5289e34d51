/** A part of a regular expression. `written` is its RE2 syntax. */
export type Piece = Characters | Assertion | Group | Repetition

/** One character of a set. */
export interface Characters {
  kind: 'characters'
  written: string
  /** The only character of the set, if there is only one. */
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
  /** Whether the group never gives back characters once matched. */
  atomic: boolean
  look: 'behind' | 'not behind' | null
  /** Offset of its start, from 0 in the expression. */
  start: number
}

/** A repetition, lazy or not: laziness does not change whether there is a match. */
export interface Repetition {
  kind: 'repetition'
  of: Piece
  min: number
  max: number
  possessive: boolean
  start: number
}

/** Approximate number of instructions, with repetitions written out. */
export function sizeOf(piece: Piece): number {
  if (piece.kind === 'group') {
    return sum(piece.alternatives.map((pieces) => 1 + sum(pieces.map(sizeOf))))
  }
  if (piece.kind !== 'repetition') return 1
  return 1 + sizeOf(piece.of) * (piece.max === Infinity ? piece.min + 1 : piece.max)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
