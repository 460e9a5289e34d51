import { pathToValue, reportValue } from '../messages/report.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'
import type { Validating } from './validating.ts'

/** Reports empty maps and sequences, if that option is on. */
export function reportEmpty(node: Node, location: Location, validating: Validating): void {
  if (!validating.options.empty) return
  if (node.kind === 'map' && node.entries.length === 0) reportDropped(node, location, validating)
  if (node.kind === 'seq' && node.items.length === 0) reportDropped(node, location, validating)
}

export function reportDropped(node: Node, location: Location, validating: Validating): void {
  const args = { key: pathToValue(location, node).join('.') }
  reportValue(validating, location, node, { level: 'warn', code: 'empty', args })
}
