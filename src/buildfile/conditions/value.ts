import type { Call, Operand } from './condition.ts'
import type { ConditionData } from './data.ts'
import { envValue } from '../env/env-value.ts'

/** The value of an operand; null where there is none. */
export function valueOf(operand: Operand, data: ConditionData): unknown {
  if (operand.kind === 'value') return withBooleans(operand.value)
  if (operand.kind === 'variable') return withBooleans(data[operand.name] ?? null)
  return withBooleans(called(operand, data))
}

/** As patterns and `concat` see a value: null is the empty text. */
export function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function called({ name, args }: Call, data: ConditionData): unknown {
  const values = args.map((arg) => valueOf(arg, data))
  if (name === 'concat') return values.map(textOf).join('')
  const [variable = null] = values
  return variable === null ? null : envValue(data.env ?? [], textOf(variable))
}

/** The texts `true` and `false`, in any case, are booleans wherever they come from. */
function withBooleans(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^true$/i.test(value)) return true
  return /^false$/i.test(value) ? false : value
}
