import type { Node } from './node.ts'

/** Whether there is anything to look at: null and what is empty is not given, `false` is. */
export function isGiven(node: Node): boolean {
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
