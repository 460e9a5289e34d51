import { readDefinitions } from '../env/definitions.ts'
import type { Entry, Node, StrNode } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { Changing } from './changing.ts'

/** Makes maps of the strings that define environment variables, and of null (section 9). */
export function readEnvStrings(node: Node, spot: Spot, changing: Changing): Node {
  switch (node.kind) {
    case 'none':
      return { kind: 'map', entries: [], start: node.start, end: node.end }
    case 'str':
      return readString(node, spot, changing)
    case 'seq':
      return { ...node, items: node.items.map((item) => readEnvStrings(item, spot, changing)) }
    default:
      return node
  }
}

function readString(node: StrNode, spot: Spot, changing: Changing): Node {
  const { start, end } = node
  const definitions = readDefinitions(node.value)
  if (!definitions) {
    const args = { var: node.value }
    tellValue(changing, spot, node, { level: 'error', code: 'invalid_env_var', args })
  }
  const entries = [...(definitions ?? [])].map(([key, text]): Entry => {
    return { key, value: { kind: 'str', value: text, start, end }, at: { start, end } }
  })
  return { kind: 'map', entries, start, end }
}
