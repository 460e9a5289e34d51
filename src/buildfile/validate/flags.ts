import { isGiven } from '../tree/has-content.ts'
import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

export function tellEdge(node: Node, { flags }: Type, spot: Spot, validating: Validating): void {
  if (!flags?.includes('edge') || !isGiven(node)) return
  tellValue(validating, spot, node, { level: 'info', code: 'edge' })
}
