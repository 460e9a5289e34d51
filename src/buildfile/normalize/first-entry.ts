import { reportValue } from '../messages/report.ts'
import { shownValue } from '../messages/shown-value.ts'
import { matches } from '../schema/values/matches.ts'
import type { MapType, Type } from '../schema/values/type.ts'
import { type Location, underWritten } from '../tree/location.ts'
import type { Node, SeqNode } from '../tree/node.ts'
import type { Changing } from './changing.ts'

/** If a sequence is given instead of a map, its first entry counts if it fits as a map. */
export function firstMap(node: Node, type: MapType, location: Location, changing: Changing): Node {
  if (node.kind !== 'seq') return node
  const [first] = node.items
  if (!first) return node
  const changed = changing.change(first, type, location)
  if (!matches(changed, type)) return node
  reportFirst(node, first, location, changing)
  return first
}

/**
 * If a sequence is given instead of a scalar, its first entry counts if it fits after changes, or is any
 * scalar.
 */
export function firstScalar(
  node: SeqNode,
  type: Type,
  location: Location,
  changing: Changing,
): Node {
  const [first] = node.items
  if (!first) return node
  const changed = changing.change(first, type, underWritten(location))
  if (!matches(changed, type) && !isScalar(first)) return node
  const shown = first.kind === 'str' && changed.kind === 'str' ? changed : first
  reportFirst(node, shown, location, changing)
  // A sequence within a sequence stays a sequence.
  return first.kind === 'seq' ? first : changed
}

function isScalar({ kind }: Node): boolean {
  return kind !== 'map' && kind !== 'seq' && kind !== 'secure'
}

function reportFirst(node: Node, first: Node, location: Location, changing: Changing): void {
  const args = { value: shownValue(changing, first) }
  reportValue(changing, location, node, { level: 'warn', code: 'unexpected_seq', args })
}
