import type { Node } from './node.ts'

/** Whether a value says anything: null and empty values do not, `false` does. */
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
    default:
      return true
  }
}
