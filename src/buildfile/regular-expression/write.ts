import { RegularExpressionError } from './error.ts'
import type { Group, Piece, Repetition } from './piece.ts'

/** The piece that follows, as far as known. */
type Next = Piece | 'end' | 'unknown'

/** Writes a regular expression in RE2 syntax, for a search in multi-line mode. */
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
    throw doesNotBacktrack('the group (?>…)', group.start)
  }
  // A look-behind does not count as the end, even if nothing follows it.
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
    throw doesNotBacktrack('this quantifier', start)
  }
  // A repeated piece is followed by itself.
  const inner = writePiece(of, { next: 'unknown', ignoreCase })
  // RE2 does not accept a quantifier of a quantifier.
  const body = of.kind === 'repetition' ? `(?:${inner})` : inner
  return `${body}${quantifier(repetition)}`
}

function quantifier({ min, max }: Repetition): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

/** Whether there is only one way to match the piece. */
function isFixed(piece: Piece): boolean {
  if (piece.kind === 'repetition') return piece.min === piece.max && isFixed(piece.of)
  if (piece.kind !== 'group') return true
  return piece.alternatives.length === 1 && (piece.alternatives[0] ?? []).every(isFixed)
}

/** Whether giving back is pointless because the next piece could not match the characters: `\d++\.`. */
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

/** Whether a set in RE2 syntax excludes a character. False if this is not known. */
function isOutside(code: number, written: string, ignoreCase = false): boolean {
  try {
    const set = written.replaceAll(String.raw`\x{`, String.raw`\u{`)
    const expression = new RegExp(`^${set}$`, ignoreCase ? 'iu' : 'u')
    return !expression.test(String.fromCodePoint(code))
  } catch {
    return false
  }
}

function doesNotBacktrack(what: string, offset: number): RegularExpressionError {
  const message = `${what} does not backtrack, which works only where that makes no difference`
  return new RegularExpressionError(message, offset, true)
}
