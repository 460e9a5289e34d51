import { type CharacterSet, posixSets, writtenCharacter } from './character-set.ts'
import { atEnd, type Cursor, sees, take, takeCharacter } from './cursor.ts'
import { RegularExpressionError, unsupported } from './error.ts'
import { escapedCharacter, setOfEscape } from './escape.ts'

const maximumDepth = 20

/** Reads `[…]`, with the cursor after the first bracket. Returns the class in RE2 syntax. */
export function parseClass(cursor: Cursor): string {
  return written(parseSet(cursor, 0), cursor.at)
}

/** The content of a class, as a union of plain sets and negated sets. */
interface Union {
  plain: string
  negated: string[]
}

type Parsed = Union & { isNegated: boolean }

function parseSet(cursor: Cursor, depth: number): Parsed {
  const start = cursor.at - 1
  if (depth > maximumDepth) throw unsupported('brackets nested this deep are', start)
  const union: Parsed = { plain: '', negated: [], isNegated: take(cursor, /\^/y) !== undefined }
  // A bracket that would close an empty class is a literal.
  if (sees(cursor, ']')) addCharacter(union, cursor)
  while (!take(cursor, /\]/y)) {
    if (atEnd(cursor)) throw new RegularExpressionError('a bracket is not closed', start)
    addItem(union, cursor, depth)
  }
  return union
}

function addItem(union: Union, cursor: Cursor, depth: number): void {
  if (sees(cursor, '&&')) throw unsupported('what two classes share (&&) is', cursor.at)
  const set = takeSet(cursor)
  if (set) {
    addSet(union, set)
    return
  }
  if (take(cursor, /\[/y)) {
    const at = cursor.at - 1
    addClass(union, parseSet(cursor, depth + 1), at)
    return
  }
  addCharacter(union, cursor)
}

/** Reads `[:alpha:]`, or an escape for a set of characters. */
function takeSet(cursor: Cursor): CharacterSet | undefined {
  const posix = take(cursor, /\[:(\^?)([a-z]+):\]/y)
  if (!posix) return setOfEscape(cursor)
  const [whole, not, name = ''] = posix
  const members = posixSets[name]
  if (members === undefined) {
    throw new RegularExpressionError(`there is no class ${whole}`, posix.index)
  }
  return { members, negated: not !== '' }
}

function addSet(union: Union, { members, negated }: CharacterSet): void {
  if (negated) union.negated.push(members)
  else union.plain += members
}

function addClass(union: Union, inner: Parsed, at: number): void {
  if (!inner.isNegated) {
    union.plain += inner.plain
    union.negated.push(...inner.negated)
    return
  }
  if (inner.negated.length > 0) throw doubleNegation(at)
  union.negated.push(inner.plain)
}

/** Adds one character, or a range of characters. */
function addCharacter(union: Union, cursor: Cursor): void {
  const start = cursor.at
  const first = classCharacter(cursor)
  const last = takeRangeEnd(cursor) ?? first
  if (last < first) throw new RegularExpressionError('a range runs backwards', start)
  union.plain += writtenCharacter(first)
  if (last !== first) union.plain += `-${writtenCharacter(last)}`
}

function classCharacter(cursor: Cursor): number {
  return take(cursor, /\\/y) ? escapedCharacter(cursor, true) : takeCharacter(cursor)
}

/** Before a set or the end of the class a dash is a literal. */
function takeRangeEnd(cursor: Cursor): number | undefined {
  return take(cursor, /-(?![\][]|&&|\\[dDwWsShHpP])(?=.)/sy) && classCharacter(cursor)
}

function written({ plain, negated, isNegated }: Parsed, at: number): string {
  if (!isNegated) {
    const sets = [...(plain === '' ? [] : [`[${plain}]`]), ...negated.map((set) => `[^${set}]`)]
    return sets.length === 1 ? sets.join('') : `(?:${sets.join('|')})`
  }
  if (negated.length === 0) return `[^${plain}]`
  if (plain !== '' || negated.length > 1) throw doubleNegation(at)
  return `[${negated.join('')}]`
}

function doubleNegation(at: number): RegularExpressionError {
  return unsupported('a negated class with negated classes in it is', at)
}
