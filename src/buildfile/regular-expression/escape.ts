import { blanks, type CharacterSet, hexadecimals, membersOfProperty } from './character-set.ts'
import { atEnd, type Cursor, take, takeCharacter } from './cursor.ts'
import { RegularExpressionError, unsupported } from './error.ts'

const sets: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: blanks,
  h: hexadecimals,
}

/** Takes an escape for a set of characters, such as `\d` or `\p{Lu}`. */
export function setOfEscape(cursor: Cursor): CharacterSet | undefined {
  const letter = take(cursor, /\\([dwsh])/iy)?.[1]
  if (letter !== undefined) {
    const small = letter.toLowerCase()
    return { members: sets[small] ?? '', negated: letter !== small }
  }
  const property = take(cursor, /\\([pP])\{(\^?)([^{}]*)\}/y)
  if (!property) return undefined
  const [, p, not, name = ''] = property
  const members = membersOfProperty(name)
  if (members === undefined) throw unsupported(`the property "${name}" is`, property.index)
  return { members, negated: (p === 'P') !== (not === '^') }
}

const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 }

/** Reads an escape for one character; the cursor is after the backslash. */
export function escapedCharacter(cursor: Cursor, inClass: boolean): number {
  const start = cursor.at - 1
  if (atEnd(cursor)) throw new RegularExpressionError('nothing follows the backslash', start)
  if (inClass && take(cursor, /b/y)) return 8
  const numbered = takeNumbered(cursor, start)
  if (numbered !== undefined) return numbered
  const control = take(cursor, /(?:c|C-)([\x20-\x7e])/y)?.[1]
  if (control !== undefined) return control === '?' ? 0x7f : control.charCodeAt(0) & 0x1f
  if (take(cursor, /M-/y)) throw unsupported('a character of more than seven bits (\\M-) is', start)
  if (take(cursor, /p/iy)) {
    throw new RegularExpressionError('a property is written like \\p{Alpha}', start)
  }
  const letter = take(cursor, /[atnvfre]/y)?.[0]
  if (letter !== undefined) return controls[letter] ?? 0
  return takeCharacter(cursor)
}

/** Takes `\x41`, `\u0041`, `\u{41}` or `\101` without the backslash. */
function takeNumbered(cursor: Cursor, start: number): number | undefined {
  const octal = take(cursor, /[0-7]{1,3}/y)?.[0]
  if (octal !== undefined) return Number.parseInt(octal, 8)
  const kind = take(cursor, /[xu]/y)?.[0]
  if (kind === undefined) return undefined
  const digits =
    kind === 'x'
      ? take(cursor, /([\da-f]{1,2})/iy)
      : take(cursor, /([\da-f]{4})|\{\s*([\da-f]{1,6})\s*\}/iy)
  const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16)
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  if (isCharacter) return code
  throw new RegularExpressionError('the character code is missing or invalid', start)
}
