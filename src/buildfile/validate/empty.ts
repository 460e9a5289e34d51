import type { Node } from '../tree/node.ts'
import { pathToValue, tellValue } from '../messages/report.ts'
import type { Spot } from '../tree/location.ts'
import type { Validating } from './validating.ts'

/** Tells of empty maps and sequences, where that is asked for. */
export function tellEmpty(node: Node, spot: Spot, validating: Validating): void {
  if (!validating.options.empty) return
  if (node.kind === 'map' && node.entries.length === 0) tellDropped(node, spot, validating)
  if (node.kind === 'seq' && node.items.length === 0) tellDropped(node, spot, validating)
}

export function tellDropped(node: Node, spot: Spot, validating: Validating): void {
  const args = { key: pathToValue(spot, node).join('.') }
  tellValue(validating, spot, node, { level: 'warn', code: 'empty', args })
}
