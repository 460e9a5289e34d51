import type { Node } from '../../src/buildfile/node.ts'

/** The content of a node, without its positions. */
export function plainNode(node: Node): unknown {
  switch (node.kind) {
    case 'none':
      return null
    case 'seq':
      return node.items.map(plainNode)
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainNode(value)]))
    case 'secure':
      return { secure: plainNode(node.value) }
    default:
      return node.value
  }
}
