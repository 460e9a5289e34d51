import { readMap } from '../../buildfile/read-map.ts'
import type { Node } from '../../buildfile/tree/node.ts'

/** The encrypted values in the text of a build file, without white space; none in one that cannot be read. */
export function encryptedInText(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  // An alias is the same node again, and a few of them can stand for millions.
  const seen = new Set<Node>()
  const waiting: Node[] = [readMap(text).root ?? []].flat()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (node.kind === 'secure' && node.value.kind === 'str') {
      found.add(withoutBlanks(node.value.value))
    }
    waiting.push(...childrenOf(node))
  }
  return found
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'seq') return node.items
  return node.kind === 'map' ? node.entries.map(({ value }) => value) : []
}

/** White space does not count in what is encrypted; a file can break its lines. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '')
}
