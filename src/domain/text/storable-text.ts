/** A text that PostgreSQL can store: it rejects U+0000, and removing it is better than failing. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '')
}

/** Whether a text can occur in a row: no stored text contains U+0000. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000')
}

/**
 * A JSON value in which every text and key can be stored, also in a JSON column, which rejects halves
 * of surrogate pairs as well.
 */
export function storableValue<T>(value: T): T {
  // Hardly any value needs cleaning, and this test takes a tenth of the time.
  return mayNeedCleaning.test(JSON.stringify(value)) ? (clean(value) as T) : value
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value).replaceAll(/\p{Cs}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [clean(key), clean(member)]),
  )
}

/** Parses JSON that comes from outside; its texts can be stored. */
export function parseStorable(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return mayNeedCleaning.test(text) ? clean(value) : value
}

/** Both as JSON writes them: an escape, because a text in UTF-8 contains no half of a surrogate pair. */
export const mayNeedCleaning = /\\u(?:0000|d[89a-f])/i
