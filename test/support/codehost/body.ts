/** The members of a JSON object or a form that someone sent. */
export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text that was sent; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
