import { readDefinitions } from './definitions.ts'
import type { ConditionData } from '../conditions/data.ts'

/**
 * The value of a variable, without the quotes around it; null where it is not defined. What is
 * encrypted is never seen.
 */
export function envValue(env: NonNullable<ConditionData['env']>, name: string): unknown {
  for (const entry of env.toReversed()) {
    const found = typeof entry === 'string' ? readDefinitions(entry)?.get(name) : inMap(entry, name)
    if (found !== undefined) return typeof found === 'string' ? unquoted(found) : found
  }
  return null
}

function inMap(map: Readonly<Record<string, unknown>>, name: string): unknown {
  // An entry may also be an encrypted definition: `{secure: …}`.
  if (!Object.hasOwn(map, name) || isSecure(map)) return undefined
  const value = map[name]
  return isSecure(value) ? null : value
}

function isSecure(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === 'secure'
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value
}
