/** Parameters by their names; values from forms are strings, and lists and records of strings. */
export type Given = Readonly<Record<string, unknown>>

/** The values of one name: its own strings, and the members named in brackets. */
interface Node {
  texts: string[]
  members: Map<string, Node>
}

/** Names with more brackets than this are not nested. */
const deepest = 5

/**
 * Nests the pairs of a query or form by the brackets of their names: `hook[active]=1` is a record,
 * `ids[]=1&ids[]=2` and `ids=1&ids=2` are lists. The number of pairs is not limited.
 */
export function nest(pairs: Iterable<readonly [name: string, text: string]>): Given {
  const root = emptyNode()
  for (const [name, text] of pairs) {
    let node = root
    for (const key of keysOf(name)) node = memberOf(node, key)
    node.texts.push(text)
  }
  return recordOf(root)
}

/** Nests the pairs of a query, or of a URL-encoded form. */
export function nestQuery(text: string): Given {
  return nest(new URLSearchParams(text))
}

function emptyNode(): Node {
  return { texts: [], members: new Map() }
}

function memberOf({ members }: Node, key: string): Node {
  const member = members.get(key) ?? emptyNode()
  members.set(key, member)
  return member
}

/** `a[b][]` is `a`, `b` and an empty key. */
function keysOf(name: string): string[] {
  const [, first, brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (first === undefined) return [name]
  const keys = brackets.slice(1, -1).split('][')
  return keys.length > deepest ? [name] : [first, ...keys]
}

function recordOf({ members }: Node): Given {
  return Object.fromEntries([...members].map(([key, node]) => [key, valueOf(node)]))
}

function valueOf(node: Node): unknown {
  const { texts, members } = node
  if (members.size === 0) return texts.length === 1 ? texts[0] : texts
  if ([...members.keys()].some((key) => !/^\d*$/.test(key))) return recordOf(node)
  // Numeric keys sort a list, without holes.
  return [...texts, ...[...members.values()].flatMap(listOf)]
}

function listOf(node: Node): unknown[] {
  return node.members.size === 0 ? node.texts : [valueOf(node)]
}
