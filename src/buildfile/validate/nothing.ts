import type { Node } from '../tree/node.ts'

/** What is left of a value that must not stay. */
export function nothing({ start, end }: Node): Node {
  return { kind: 'none', start, end }
}
