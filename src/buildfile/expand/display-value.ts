import { isMap, isSecure } from '../../domain/config/config-value.ts'

/** Replaces an encrypted value, or a value that was to be encrypted (D5). */
const hidden = '[secure]'

/** A value as short text for people; null if there is none. */
export function displayValue(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  const shown = masked(value)
  return isListOfTexts(shown) ? shown.join(', ') : JSON.stringify(shown)
}

/** An entry of `env` in its usual notation: `A=1 B=2`. */
export function displayEntry(entry: unknown): string {
  if (!isMap(entry) || isSecure(entry)) return displayValue(masked(entry)) ?? ''
  return Object.entries(entry)
    .map(([name, value]) => `${name}=${displayValue(masked(value)) ?? ''}`)
    .join(' ')
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (!isMap(value)) return value
  if (isSecure(value)) return hidden
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member)]))
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
