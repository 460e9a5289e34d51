import { reportValue } from '../messages/report.ts'
import type { Type } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'
import type { Validating } from './validating.ts'

export function reportEdge(
  node: Node,
  { flags }: Type,
  location: Location,
  validating: Validating,
): void {
  if (!flags?.includes('edge') || !hasContent(node)) return
  reportValue(validating, location, node, { level: 'info', code: 'edge' })
}
