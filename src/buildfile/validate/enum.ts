import { enumValues } from '../value-types/enum-values.ts'
import { isGiven } from '../tree/has-content.ts'
import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { BoolType, EnumValue, NumType, StrType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

type EnumType = StrType | NumType | BoolType

/** Tells of a value that is not one of those that are known; whether it is such one. */
export function isUnknownValue(
  node: Node,
  type: EnumType,
  spot: Spot,
  validating: Validating,
): boolean {
  if (node.kind !== type.kind || !isGiven(node) || !hasValues(type)) return false
  const { value } = node
  if (typeof value === 'number' || enumValues(type).has(value)) return false
  tellValue(validating, spot, node, { level: 'error', code: 'unknown_value', args: { value } })
  return true
}

export function tellValueFlags(
  node: Node,
  type: EnumType,
  spot: Spot,
  validating: Validating,
): void {
  const known = knownValue(node, type)
  if (known?.edge) tellValue(validating, spot, node, { level: 'info', code: 'edge' })
  if (known?.deprecated === undefined) return
  const args = { value: known.value, info: known.deprecated }
  tellValue(validating, spot, node, { level: 'warn', code: 'deprecated_value', args })
}

/** What is said of a value of an enum. */
export function knownValue(node: Node, type: EnumType): EnumValue | undefined {
  if (!hasValues(type) || (node.kind !== 'str' && node.kind !== 'bool')) return undefined
  return enumValues(type).get(node.value)
}

function hasValues(type: EnumType): type is StrType | BoolType {
  return type.kind !== 'num' && type.values !== undefined
}
