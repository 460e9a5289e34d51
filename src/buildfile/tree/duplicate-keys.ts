import type { MapNode, Node, SecureNode } from './node.ts'
import type { Spot } from './location.ts'
import { tellMap, type Telling, tellValue } from '../messages/report.ts'

/** Tells of keys that are given more than once in a map, of those in inner maps first. */
export function tellDuplicateKeys(node: Node, telling: Telling, spot: Spot = {}): void {
  switch (node.kind) {
    case 'seq':
      for (const item of node.items) tellDuplicateKeys(item, telling, spot)
      break
    case 'map':
      tellInMap(node, telling, spot)
      break
    case 'secure':
      tellInSecure(node, telling, spot)
  }
}

const told = (key: string) => ({ level: 'error', code: 'duplicate_key', args: { key } }) as const

function tellInMap({ entries }: MapNode, telling: Telling, spot: Spot): void {
  for (const entry of entries) {
    const { kind } = entry.value
    if (kind === 'map' || kind === 'seq' || kind === 'secure') {
      tellDuplicateKeys(entry.value, telling, { above: spot, entry })
    }
  }
  for (const { key, duplicate, src } of entries) {
    if (duplicate) tellMap(telling, spot, told(key), { at: duplicate, src })
  }
}

function tellInSecure(node: SecureNode, telling: Telling, spot: Spot): void {
  if (node.duplicate) tellValue(telling, spot, { ...node, ...node.duplicate }, told('secure'))
}
