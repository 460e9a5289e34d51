/** A position in a text that moves on as the text is read. */
export interface Cursor {
  readonly text: string
  at: number
}

/** Takes the match of the pattern, which must be sticky, at the cursor. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text) ?? undefined
  cursor.at += found?.[0].length ?? 0
  return found
}

export const sees = (cursor: Cursor, text: string) => cursor.text.startsWith(text, cursor.at)

export const atEnd = (cursor: Cursor) => cursor.at >= cursor.text.length

/** Takes the code point of the next character; the cursor must not be at the end. */
export function takeCharacter(cursor: Cursor): number {
  const code = cursor.text.codePointAt(cursor.at) ?? 0
  cursor.at += code > 0xffff ? 2 : 1
  return code
}
