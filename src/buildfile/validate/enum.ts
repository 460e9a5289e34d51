import { reportValue } from '../messages/report.ts'
import { enumValues } from '../schema/values/enum-values.ts'
import type { BoolType, EnumValue, NumType, StrType } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'
import type { Validating } from './validating.ts'

type EnumType = StrType | NumType | BoolType

/** Reports an unknown value; returns whether it is unknown. */
export function isUnknownValue(
  node: Node,
  type: EnumType,
  location: Location,
  validating: Validating,
): boolean {
  if (node.kind !== type.kind || !hasContent(node) || !hasValues(type)) return false
  const { value } = node
  if (typeof value === 'number' || enumValues(type).has(value)) return false
  reportValue(validating, location, node, {
    level: 'error',
    code: 'unknown_value',
    args: { value },
  })
  return true
}

export function reportValueFlags(
  node: Node,
  type: EnumType,
  location: Location,
  validating: Validating,
): void {
  const known = knownValue(node, type)
  if (known?.edge) reportValue(validating, location, node, { level: 'info', code: 'edge' })
  if (known?.deprecated === undefined) return
  const args = { value: known.value, info: known.deprecated }
  reportValue(validating, location, node, { level: 'warn', code: 'deprecated_value', args })
}

/** The schema's entry for a value of an enum. */
export function knownValue(node: Node, type: EnumType): EnumValue | undefined {
  if (!hasValues(type) || (node.kind !== 'str' && node.kind !== 'bool')) return undefined
  return enumValues(type).get(node.value)
}

function hasValues(type: EnumType): type is StrType | BoolType {
  return type.kind !== 'num' && type.values !== undefined
}
