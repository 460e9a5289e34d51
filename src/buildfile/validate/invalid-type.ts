import { isGiven } from '../given.ts'
import type { Node } from '../node.ts'
import { plainValue } from '../plain-value.ts'
import type { Spot } from '../spot.ts'
import { tellValue } from '../tell.ts'
import type { Kind } from '../type.ts'
import type { Validating } from './validating.ts'

/** Tells of a value that is of another kind; whether it was. */
export function isInvalid(node: Node, expected: Kind, spot: Spot, validating: Validating): boolean {
  if (node.kind === expected || !isGiven(node)) return false
  if (expected === 'secure' && node.kind === 'str') return false
  const args = { expected, actual: node.kind, value: plainValue(node) }
  tellValue(validating, spot, node, { level: 'error', code: 'invalid_type', args })
  return true
}
