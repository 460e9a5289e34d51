import { readDefinitions } from '../env/definitions.ts'
import type { FunctionCall, Operand } from './condition.ts'
import type { ConditionData } from './data.ts'

/** The value of an operand; null if there is none. */
export function valueOf(operand: Operand, data: ConditionData): unknown {
  if (operand.kind === 'value') return withBooleans(operand.value)
  if (operand.kind === 'variable') return withBooleans(data[operand.name] ?? null)
  return withBooleans(called(operand, data))
}

/** A value as text for patterns and `concat`: null is the empty text. */
export function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function called({ name, args }: FunctionCall, data: ConditionData): unknown {
  const values = args.map((arg) => valueOf(arg, data))
  if (name === 'concat') return values.map(textOf).join('')
  const [variable = null] = values
  return variable === null ? null : envValue(data.env ?? [], textOf(variable))
}

/** The texts `true` and `false`, in any case and from any source, are booleans. */
function withBooleans(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^true$/i.test(value)) return true
  return /^false$/i.test(value) ? false : value
}

/**
 * The value of a variable, without surrounding quotes; null if the variable is not defined. Encrypted values
 * are never read.
 */
function envValue(env: NonNullable<ConditionData['env']>, name: string): unknown {
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
