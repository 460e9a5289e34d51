import type { ConditionData } from './data.ts'

/**
 * The value of a variable, without the quotes around it; null where it is not defined. What is
 * encrypted is never seen (CF-31).
 */
export function envValue(env: NonNullable<ConditionData['env']>, name: string): unknown {
  for (const entry of env.toReversed()) {
    const found = typeof entry === 'string' ? definedIn(entry, name) : inMap(entry, name)
    if (found !== undefined) return found
  }
  return null
}

function inMap(map: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!Object.hasOwn(map, name)) return undefined
  const value = map[name]
  // An entry may also be an encrypted definition: `{secure: …}`.
  if (isSecure(value) || isSecure(map)) return null
  return typeof value === 'string' ? unquoted(value) : value
}

function isSecure(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === 1 && keys[0] === 'secure'
}

/** NAME or NAME=VALUE, several of them apart by white space (build file, section 9). */
const definition =
  /([^\s=]+)(?:=((?:"(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|\\.|[^\s"'`\\])*))?(?=\s|$)/gs

function definedIn(definitions: string, name: string): unknown {
  const found = [...definitions.matchAll(definition)].findLast(([, key]) => key === name)
  return found && unquoted(found[2] ?? '')
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value
}
