import { matches } from '../value-types/matches.ts'
import type { Node } from '../tree/node.ts'
import { plainValue } from '../tree/plain-value.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { MapType, Type } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

/** Where one value is wanted and a sequence is given, the first entry counts if it is such one. */
export function firstMap(node: Node, type: MapType, spot: Spot, changing: Changing): Node {
  if (node.kind !== 'seq') return node
  const [first] = node.items
  if (!first) return node
  const changed = changing.change(first, type, spot)
  if (!matches(changed, type)) return node
  tellFirst(node, first, spot, changing)
  return changed
}

/**
 * As for maps, but it is taken as it is given, so that a sequence within a sequence stays one; only
 * texts are taken as they were meant.
 */
export function firstScalar(node: Node, type: Type, spot: Spot, changing: Changing): Node {
  if (node.kind !== 'seq') return node
  const [first] = node.items
  if (!first) return node
  const changed = changing.change(first, type, spot)
  if (!isScalar(changed)) return node
  const used = first.kind === 'str' && changed.kind === 'str' ? changed : first
  tellFirst(node, used, spot, changing)
  return used
}

function isScalar({ kind }: Node): boolean {
  return kind === 'str' || kind === 'num' || kind === 'bool' || kind === 'secure'
}

function tellFirst(node: Node, first: Node, spot: Spot, changing: Changing): void {
  const args = { value: plainValue(first) }
  tellValue(changing, spot, node, { level: 'warn', code: 'unexpected_seq', args })
}
