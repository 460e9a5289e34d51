import { ConditionError } from '../conditions/condition.ts'
import { parseCondition } from '../conditions/parse.ts'
import { reportValue } from '../messages/report.ts'
import type { MapType } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { MapNode, StrNode } from '../tree/node.ts'
import type { Validating } from './validating.ts'

/** Reports an unreadable `if`; returns whether the condition is readable. */
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
  const problem = unreadable(condition, validating.conditions)
  if (!problem) return true
  const args = { condition, message: problem.reason }
  const below = { above: location, entry }
  const part = from(entry.value, problem.offset)
  reportValue(validating, below, part, { level: 'error', code: 'invalid_condition', args })
  return false
}

function unreadable(text: string, version: 'v0' | 'v1'): ConditionError | undefined {
  try {
    parseCondition(text, version)
    return undefined
  } catch (error) {
    if (error instanceof ConditionError) return error
    throw error
  }
}

/** Narrows the node to its text from the offset on, if the file has the text unchanged. */
function from(node: StrNode, offset: number): StrNode {
  if (node.end - node.start !== node.value.length || offset >= node.value.length) return node
  return { ...node, start: node.start + offset }
}
