import { ConditionError } from '../conditions/condition.ts'
import { parseCondition } from '../conditions/parse.ts'
import type { MapNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { MapType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

/** Reports an `if` that cannot be read; returns whether it can be. */
export function checkCondition(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): boolean {
  if (!type.keys.if) return true
  const entry = map.entries.find(({ key }) => key === 'if')
  if (entry?.value.kind !== 'str') return true
  const { value: condition } = entry.value
  const reason = unreadable(condition, validating.conditions)
  if (reason === undefined) return true
  const args = { condition, message: reason }
  const below = { above: location, entry }
  reportValue(validating, below, entry.value, { level: 'error', code: 'invalid_condition', args })
  return false
}

/** Why a condition cannot be read, null where there is nothing to say but that. */
function unreadable(text: string, version: 'v0' | 'v1'): string | null | undefined {
  try {
    parseCondition(text, version)
    return undefined
  } catch (error) {
    if (error instanceof ConditionError) return error.reason
    throw error
  }
}
