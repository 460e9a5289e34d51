import { readDefinitions } from '../env/definitions.ts'
import type { Entry, Node, StrNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { Changing } from './changing.ts'

/** Makes maps of the strings that define environment variables, and of null; in lists of `false` too. */
export function readEnvStrings(node: Node, location: Location, changing: Changing): Node {
  switch (node.kind) {
    case 'none':
      return { kind: 'map', entries: [], start: node.start, end: node.end }
    case 'str':
      return readString(node, location, changing)
    case 'seq':
      return { ...node, items: node.items.map((item) => readEnvItem(item, location, changing)) }
    default:
      return node
  }
}

function readEnvItem(item: Node, location: Location, changing: Changing): Node {
  const says = item.kind !== 'bool' || item.value
  return readEnvStrings(says ? item : { ...item, kind: 'none' }, location, changing)
}

function readString(node: StrNode, location: Location, changing: Changing): Node {
  const { start, end } = node
  const definitions = readDefinitions(node.value)
  if (!definitions) {
    const args = { var: node.value }
    reportValue(changing, location, node, { level: 'error', code: 'invalid_env_var', args })
  }
  const entries = [...(definitions ?? [])].map(([key, text]): Entry => {
    return { key, value: { kind: 'str', value: text, start, end }, at: { start, end } }
  })
  return { kind: 'map', entries, start, end }
}
