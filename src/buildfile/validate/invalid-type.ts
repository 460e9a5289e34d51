import { hasContent } from '../tree/has-content.ts'
import type { Node } from '../tree/node.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { Kind } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

/** Reports a value that is of another kind; returns whether it was. */
export function isInvalid(
  node: Node,
  expected: Kind,
  location: Location,
  validating: Validating,
): boolean {
  if (node.kind === expected || !hasContent(node)) return false
  if (expected === 'secure' && node.kind === 'str') return false
  const args = { expected, actual: node.kind, value: shownValue(node) }
  reportValue(validating, location, node, { level: 'error', code: 'invalid_type', args })
  return true
}
