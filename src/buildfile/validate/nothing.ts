import type { Node } from '../tree/node.ts'

/** The null that replaces a value which is dropped. */
export function nothing({ start, end }: Node): Node {
  return { kind: 'none', start, end }
}
