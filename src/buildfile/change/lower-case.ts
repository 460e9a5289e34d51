import type { StrNode } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { StrType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

export function lowerCase(node: StrNode, type: StrType, spot: Spot, changing: Changing): StrNode {
  if (!type.lowercase || !changing.options.fix) return node
  const value = node.value.toLowerCase()
  if (value === node.value) return node
  tellValue(changing, spot, node, { level: 'info', code: 'downcase', args: { value: node.value } })
  return { ...node, value }
}
