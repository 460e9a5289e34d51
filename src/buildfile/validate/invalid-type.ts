import { reportValue } from '../messages/report.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { Kind } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'
import type { Validating } from './validating.ts'

/** Reports a value of the wrong kind; returns whether the kind is wrong. */
export function isInvalid(
  node: Node,
  expected: Kind,
  location: Location,
  validating: Validating,
): boolean {
  if (node.kind === expected || !hasContent(node)) return false
  if (expected === 'secure' && node.kind === 'str') return false
  const args = { expected, actual: node.kind, value: shownValue(validating, node) }
  reportValue(validating, location, node, { level: 'error', code: 'invalid_type', args })
  return true
}
