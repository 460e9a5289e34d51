import type { Node } from './node.ts'

/** Whether a value has content: null and empty values have none, `false` has. */
export function hasContent(node: Node): boolean {
  switch (node.kind) {
    case 'none':
      return false
    case 'str':
      return node.value !== ''
    case 'seq':
      return node.items.length > 0
    case 'map':
      return node.entries.length > 0
    case 'secure':
      return node.value.kind === 'str'
    default:
      return true
  }
}
