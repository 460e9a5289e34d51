import type { StrNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { StrType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

export function lowerCase(
  node: StrNode,
  type: StrType,
  location: Location,
  changing: Changing,
): StrNode {
  if (!type.lowercase || !changing.options.fix) return node
  const value = node.value.toLowerCase()
  if (value === node.value) return node
  reportValue(changing, location, node, {
    level: 'info',
    code: 'downcase',
    args: { value: node.value },
  })
  return { ...node, value }
}
