/** The first value of a list, or the value itself, as text; undefined if that is not a scalar. */
export function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'string') return first
  return typeof first === 'number' || typeof first === 'boolean' ? String(first) : undefined
}
