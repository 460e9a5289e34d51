import { content } from '../../core/answer.ts'

/** A text in XML, also in a value with double quotes. Characters that XML cannot contain are replaced. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export const xml = (text: string, type: string) =>
  content(new TextEncoder().encode(`${declaration}${text}\n`), type)
