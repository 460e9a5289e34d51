/**
 * A text in which nothing acts on a terminal or hides from the eye: control characters, the marks
 * that turn the direction of writing, and halves of characters are spelt out.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu,
    (character) => short[character] ?? spelt(character.codePointAt(0) ?? 0),
  )
}

/** A value as JSON in which nothing acts on a terminal or hides from the eye either. */
export function visibleJson(value: unknown, indent?: number): string {
  // The only ones that JSON leaves as they are outside of its strings are line feeds.
  return JSON.stringify(value, null, indent).replaceAll(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

const short: Record<string, string> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

function spelt(code: number): string {
  const digits = code.toString(16)
  return code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`
}
