import { parseClass } from './character-class.ts'
import { writtenCharacter } from './character-set.ts'
import { atEnd, type Cursor, sees, take, takeCharacter } from './cursor.ts'
import { RegularExpressionError, unsupported } from './error.ts'
import { parseEscape } from './parse-escape.ts'
import type { Group, Piece, Repetition } from './piece.ts'

/** The inline options `(?i)`, `(?m)` (the dot takes line breaks) and `(?x)`. */
export interface Options {
  ignoreCase: boolean
  dotAll: boolean
  extended: boolean
}

/** RE2's maximum for a repetition. */
const maximumRepetitions = 1000
/** Deeper groups are refused, so that no text can exhaust the stack. */
const maximumDepth = 100
const maximumQuantifiers = 5

interface State {
  cursor: Cursor
  options: Options
  depth: number
}

/** Reads a regular expression of Ruby's dialect; throws a `RegularExpressionError`. */
export function parse(text: string): Group {
  const cursor = { text, at: 0 }
  const options = { ignoreCase: false, dotAll: false, extended: false }
  const alternatives = parseAlternatives({ cursor, options, depth: 0 })
  if (!atEnd(cursor)) {
    throw new RegularExpressionError('this parenthesis closes nothing', cursor.at)
  }
  return group(alternatives, options, 0)
}

function group(alternatives: Piece[][], { ignoreCase }: Options, start: number): Group {
  return { kind: 'group', alternatives, ignoreCase, atomic: false, look: null, start }
}

/** Reads up to the closing parenthesis of the enclosing group, or to the end. */
function parseAlternatives(state: State): Piece[][] {
  const { cursor } = state
  const alternatives: Piece[][] = [[]]
  while (!atEnd(cursor) && !sees(cursor, ')')) {
    if (take(cursor, /\|/y)) {
      alternatives.push([])
      continue
    }
    if (skipIgnored(state)) continue
    alternatives.at(-1)?.push(parseRepeated(state))
  }
  return alternatives
}

/** Skips comments and, with option x, white space. */
function skipIgnored({ cursor, options }: State): boolean {
  if (sees(cursor, '(?#')) {
    const start = cursor.at
    if (take(cursor, /\(\?#(?:\\.|[^\\)])*\)/sy)) return true
    throw new RegularExpressionError('this comment is not closed', start)
  }
  return options.extended && take(cursor, /\s+|#[^\n]*\n?/y) !== undefined
}

/** Reads a piece and all its quantifiers. */
function parseRepeated(state: State): Piece {
  const { cursor } = state
  let piece = parsePiece(state)
  for (let quantifiers = 0; ; quantifiers += 1) {
    while (skipIgnored(state));
    const repetition = takeQuantifier(cursor, piece)
    if (!repetition) return piece
    if (quantifiers === maximumQuantifiers) {
      throw unsupported('this many quantifiers in a row are', repetition.start)
    }
    piece = repetition
  }
}

function takeQuantifier(cursor: Cursor, of: Piece): Repetition | undefined {
  const start = cursor.at
  const sign = take(cursor, /([*+?])([?+]?)/y)
  if (sign) {
    const [, base, behind] = sign
    const [min, max] = [base === '+' ? 1 : 0, base === '?' ? 1 : Infinity]
    return { kind: 'repetition', of, min, max, possessive: behind === '+', start }
  }
  const counted = take(cursor, /\{(?:(\d+)(,?)(\d*)|,(\d+))\}/y)
  if (!counted) return undefined
  const [whole, least, comma, most, onlyMost] = counted
  const min = Number(least ?? 0)
  const max = most || onlyMost ? Number(most || onlyMost) : comma ? Infinity : min
  if (max < min) throw new RegularExpressionError(`the numbers of ${whole} run backwards`, start)
  if (Math.max(min, max === Infinity ? 0 : max) > maximumRepetitions) {
    throw unsupported(`more than ${maximumRepetitions} repetitions (${whole}) are`, start)
  }
  // After a single number a question mark is a separate quantifier.
  if (comma || onlyMost) take(cursor, /\?/y)
  return { kind: 'repetition', of, min, max, possessive: false, start }
}

function parsePiece(state: State): Piece {
  const { cursor, options } = state
  const start = cursor.at
  if (sees(cursor, '(')) return parseGroup(state)
  if (sees(cursor, '\\')) return parseEscape(cursor)
  if (take(cursor, /\[/y)) return { kind: 'characters', written: parseClass(cursor) }
  if (take(cursor, /\./y)) {
    return { kind: 'characters', written: options.dotAll ? String.raw`[\s\S]` : String.raw`[^\n]` }
  }
  const anchor = take(cursor, /[\^$]/y)
  if (anchor) return { kind: 'assertion', written: anchor[0] }
  if (take(cursor, /[*+?]|\{(?:\d+,?\d*|,\d+)\}/y)) {
    throw new RegularExpressionError('there is nothing to repeat here', start)
  }
  const character = takeCharacter(cursor)
  return { kind: 'characters', written: writtenCharacter(character), character }
}

const unsupportedGroups: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/y, 'looking ahead is'],
  [/\(\?~/y, 'an absence operator is'],
  [/\(\?\(/y, 'a condition inside an expression is'],
  [/\(\?[imxadu-]*[adu][imxadu-]*[:)]/y, 'the options a, d and u are'],
]

function parseGroup({ cursor, options, depth }: State): Piece {
  const start = cursor.at
  if (depth === maximumDepth) throw unsupported('groups nested this deep are', start)
  for (const [form, what] of unsupportedGroups) {
    if (take(cursor, form)) throw unsupported(what, start)
  }
  const changed = take(cursor, /\(\?([imx]*)(?:-([imx]*))?([:)])/y)
  const inner = changed ? optionsFrom(options, changed) : options
  const state = { cursor, options: inner, depth: depth + 1 }
  // Options without a colon apply up to the end of the enclosing group, alternatives included.
  if (changed?.[3] === ')') return group(parseAlternatives(state), inner, start)

  const look = changed ? null : takeLook(cursor)
  const atomic = !changed && !look && take(cursor, /\(\?>/y) !== undefined
  if (!changed && !look && !atomic) openCapture(cursor)
  const alternatives = parseAlternatives(state)
  if (!take(cursor, /\)/y)) {
    throw new RegularExpressionError('this parenthesis is not closed', start)
  }
  return { ...group(alternatives, inner, start), atomic, look }
}

function takeLook(cursor: Cursor): Group['look'] {
  const found = take(cursor, /\(\?<([=!])/y)
  if (!found) return null
  return found[1] === '=' ? 'behind' : 'not behind'
}

/** Opens a group with or without a name. Captures are not used here. */
function openCapture(cursor: Cursor): void {
  const name = /\(\?(?:<[\p{L}_][\p{L}\p{N}_]*>|'[\p{L}_][\p{L}\p{N}_]*')/uy
  if (take(cursor, name) ?? take(cursor, /\((?!\?)/y)) return
  throw new RegularExpressionError('there is no group of this kind', cursor.at)
}

function optionsFrom(options: Options, [, on = '', off = '']: RegExpExecArray): Options {
  const isOn = (letter: string, before: boolean) =>
    !off.includes(letter) && (before || on.includes(letter))
  return {
    ignoreCase: isOn('i', options.ignoreCase),
    dotAll: isOn('m', options.dotAll),
    extended: isOn('x', options.extended),
  }
}
