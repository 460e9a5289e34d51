/**
 * Escapes characters that act on a terminal or are invisible: control characters, marks that change the
 * direction of writing, and halves of characters.
 */
export function visible(text: string): string {
  return text.replaceAll(
    unseen,
    (character) => short[character] ?? spelled(character.codePointAt(0) ?? 0),
  )
}

const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu

/** A value as JSON, with all characters escaped that act on a terminal or are invisible. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(unseen, (character) =>
    // Line feeds separate the members; inside its strings JSON escapes them itself.
    character === '\n' ? character : unicodeEscape(character.codePointAt(0) ?? 0),
  )
}

const short: Record<string, string> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

function spelled(code: number): string {
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(code)
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
