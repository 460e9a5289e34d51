import type { Node } from '../../buildfile/tree/node.ts'

/** Visits the values of a build file with the keys above them, each once even if aliases repeat it. */
export function walk(root: Node, visit: (node: Node, path: readonly string[]) => void): void {
  const seen = new Set<Node>()
  const step = (node: Node, path: readonly string[]) => {
    if (seen.has(node)) return
    seen.add(node)
    visit(node, path)
    if (node.kind === 'seq') for (const item of node.items) step(item, path)
    if (node.kind !== 'map') return
    for (const { key, value } of node.entries) step(value, [...path, key])
  }
  step(root, [])
}
