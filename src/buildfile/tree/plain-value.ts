import type { Node } from './node.ts'

/** The value that a node stands for. */
function plainValue(node: Node): unknown {
  switch (node.kind) {
    case 'none':
      return null
    case 'secure':
      return { secure: plainValue(node.value) }
    case 'seq':
      return node.items.map(plainValue)
    case 'map':
      return plainMap(node.entries)
    default:
      return node.value
  }
}

type Entries = readonly { key: string; value: Node }[]

export function plainMap(entries: Entries): Record<string, unknown> {
  const map: Record<string, unknown> = {}
  for (const { key, value } of entries) {
    const plain = plainValue(value)
    // A file may have such a key; assigned, it would not be a key.
    if (key === '__proto__') Object.defineProperty(map, key, { value: plain, ...ordinary })
    else map[key] = plain
  }
  return map
}

const ordinary = { configurable: true, enumerable: true, writable: true }
