import { isGiven } from '../tree/has-content.ts'
import type { Node } from '../tree/node.ts'
import { plainValue } from '../tree/plain-value.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { Kind } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

/** Tells of a value that is of another kind; whether it was. */
export function isInvalid(node: Node, expected: Kind, spot: Spot, validating: Validating): boolean {
  if (node.kind === expected || !isGiven(node)) return false
  if (expected === 'secure' && node.kind === 'str') return false
  const args = { expected, actual: node.kind, value: plainValue(node) }
  tellValue(validating, spot, node, { level: 'error', code: 'invalid_type', args })
  return true
}
