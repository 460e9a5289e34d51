import { matches } from '../value-types/matches.ts'
import type { Node } from '../tree/node.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { MapType, Type } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

/** Where one value is wanted but a sequence stands, the first entry counts if it is such a value. */
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
 * As for maps, but it is taken as it is written, so that a sequence within a sequence stays one; only
 * texts are taken as they were meant.
 */
export function firstScalar(node: Node, type: Type, location: Location, changing: Changing): Node {
  if (node.kind !== 'seq') return node
  const [first] = node.items
  if (!first) return node
  const changed = changing.change(first, type, location)
  if (!isScalar(changed)) return node
  const used = first.kind === 'str' && changed.kind === 'str' ? changed : first
  reportFirst(node, used, location, changing)
  return used
}

function isScalar({ kind }: Node): boolean {
  return kind !== 'map' && kind !== 'seq'
}

function reportFirst(node: Node, first: Node, location: Location, changing: Changing): void {
  const args = { value: shownValue(first) }
  reportValue(changing, location, node, { level: 'warn', code: 'unexpected_seq', args })
}
