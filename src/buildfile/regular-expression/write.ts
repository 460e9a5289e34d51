import { RegularExpressionError } from './error.ts'
import type { Group, Piece, Repetition } from './piece.ts'

/** What comes behind a piece, as far as that is known. */
type Next = Piece | 'end' | 'unknown'

/** Writes a regular expression as RE2 wants it, to be found in the mode of many lines. */
export function write(root: Group): string {
  return writeGroup(root, { next: 'end', ignoreCase: false })
}

interface Around {
  next: Next
  ignoreCase: boolean
}

function writePiece(piece: Piece, around: Around): string {
  if (piece.kind === 'group') return writeGroup(piece, around)
  return piece.kind === 'repetition' ? writeRepetition(piece, around) : piece.written
}

function writeGroup(group: Group, { next, ignoreCase }: Around): string {
  if (group.atomic && next !== 'end' && !isFixed({ ...group, atomic: false })) {
    throw givesNothingBack('the group (?>…)', group.start)
  }
  // What looks back is not at the end, whatever follows it.
  const inside = { next: group.look ? ('unknown' as const) : next, ignoreCase: group.ignoreCase }
  const alternatives = group.alternatives.map((pieces) => writeSequence(pieces, inside))
  const written = `${opening(group, ignoreCase)}${alternatives.join('|')})`
  return group.look ? `${group.look === 'behind' ? '(?<=' : '(?<!'}${written})` : written
}

function opening(group: Group, ignoreCase: boolean): string {
  if (group.ignoreCase === ignoreCase) return '(?:'
  return group.ignoreCase ? '(?i:' : '(?-i:'
}

function writeSequence(pieces: readonly Piece[], { next, ignoreCase }: Around): string {
  return pieces
    .map((piece, index) => writePiece(piece, { next: pieces[index + 1] ?? next, ignoreCase }))
    .join('')
}

function writeRepetition(repetition: Repetition, { next, ignoreCase }: Around): string {
  const { of, possessive, start } = repetition
  if (possessive && next !== 'end' && !wouldNotGiveBack(of, next, ignoreCase)) {
    throw givesNothingBack('this quantifier', start)
  }
  // What is repeated is followed by itself.
  const inner = writePiece(of, { next: 'unknown', ignoreCase })
  // RE2 takes no quantifier of a quantifier.
  const body = of.kind === 'repetition' ? `(?:${inner})` : inner
  return `${body}${quantifier(repetition)}`
}

function quantifier({ min, max }: Repetition): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

/** Whether there is but one way to match it. */
function isFixed(piece: Piece): boolean {
  if (piece.kind === 'repetition') return piece.min === piece.max && isFixed(piece.of)
  if (piece.kind !== 'group') return true
  return piece.alternatives.length === 1 && (piece.alternatives[0] ?? []).every(isFixed)
}

/** Giving back is of no use where what comes next could not take it: `\d++\.`. */
function wouldNotGiveBack(of: Piece, next: Next, ignoreCase: boolean): boolean {
  if (of.kind !== 'characters' || typeof next === 'string') return false
  if (next.kind === 'repetition') {
    return next.min > 0 && wouldNotGiveBack(of, next.of, ignoreCase)
  }
  if (next.kind === 'assertion') {
    return next.written === String.raw`\z` || (next.written === '$' && isOutside(10, of.written))
  }
  if (next.kind !== 'characters' || next.character === undefined) return false
  return isOutside(next.character, of.written, ignoreCase)
}

/** Whether a set as RE2 writes it lacks a character. False where this is not known. */
function isOutside(code: number, written: string, ignoreCase = false): boolean {
  try {
    const set = written.replaceAll(String.raw`\x{`, String.raw`\u{`)
    const expression = new RegExp(`^${set}$`, ignoreCase ? 'iu' : 'u')
    return !expression.test(String.fromCodePoint(code))
  } catch {
    return false
  }
}

function givesNothingBack(what: string, offset: number): RegularExpressionError {
  const message = `${what} gives nothing back, which works only where that makes no difference`
  return new RegularExpressionError(message, offset, true)
}
