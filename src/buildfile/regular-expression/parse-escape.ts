import { writtenCharacter } from './character-set.ts'
import { type Cursor, take } from './cursor.ts'
import { RegularExpressionError, unsupported } from './error.ts'
import { escapedCharacter, setOfEscape } from './escape.ts'
import type { Piece } from './piece.ts'

const assertions: Readonly<Record<string, string>> = {
  A: String.raw`\A`,
  G: String.raw`\A`,
  z: String.raw`\z`,
  // The end, or before a line break at the end.
  Z: String.raw`(?:\n?\z)`,
  b: String.raw`\b`,
  B: String.raw`\B`,
  // Drops the match so far; only the existence of a match counts here.
  K: '(?:)',
}

const unsupportedEscapes: readonly (readonly [RegExp, string])[] = [
  [/\\(?:[1-9]|k[<'])/y, 'a reference back to a group is'],
  [/\\g[<']/y, 'calling a group is'],
  [/\\X/y, String.raw`\X is`],
]

/** Reads an escape outside of a class. */
export function parseEscape(cursor: Cursor): Piece {
  const start = cursor.at
  for (const [form, what] of unsupportedEscapes) {
    if (take(cursor, form)) throw unsupported(what, start)
  }
  if (take(cursor, /\\R/y)) {
    const written = String.raw`(?:\r\n|[\x{a}-\x{d}\x{85}\x{2028}\x{2029}])`
    return { kind: 'characters', written }
  }
  const assertion = assertions[take(cursor, /\\([AGzZbBK])/y)?.[1] ?? '']
  if (assertion !== undefined) return { kind: 'assertion', written: assertion }
  const set = setOfEscape(cursor)
  if (set) return { kind: 'characters', written: `[${set.negated ? '^' : ''}${set.members}]` }
  if (!take(cursor, /\\/y)) throw new RegularExpressionError('an escape is missing', start)
  const character = escapedCharacter(cursor, false)
  return { kind: 'characters', written: writtenCharacter(character), character }
}
