import { isGiven } from '../given.ts'
import type { Node } from '../node.ts'
import type { Spot } from '../spot.ts'
import { tellValue } from '../tell.ts'
import type { Type } from '../type.ts'
import type { Validating } from './validating.ts'

export function tellEdge(node: Node, { flags }: Type, spot: Spot, validating: Validating): void {
  if (!flags?.includes('edge') || !isGiven(node)) return
  tellValue(validating, spot, node, { level: 'info', code: 'edge' })
}
