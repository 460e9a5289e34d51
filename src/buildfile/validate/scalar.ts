import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import type { BoolType, NumType, SecureType, StrType } from '../value-types/type.ts'
import { withDefault } from './default.ts'
import { isUnknownValue, tellValueFlags } from './enum.ts'
import { tellEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { nothing } from './nothing.ts'
import { validateSecure } from './secure.ts'
import { checkPattern, tellUnknownVars } from './text.ts'
import { tellUnsupportedValue } from './unsupported.ts'
import type { Validating } from './validating.ts'

type ScalarType = StrType | NumType | BoolType | SecureType

export function validateScalar(
  node: Node,
  type: ScalarType,
  spot: Spot,
  validating: Validating,
): Node {
  const { drop, support } = validating.options
  const invalid = isInvalid(node, type.kind, spot, validating)
  if (type.kind === 'secure') {
    return drop && invalid ? nothing(node) : validateSecure(node, type, spot, validating)
  }
  const unknown = isUnknownValue(node, type, spot, validating)
  if (drop && (invalid || unknown)) return nothing(node)
  if (support) tellUnsupportedValue(node, type, spot, validating)
  const value = withDefault(node, type, spot, validating)
  tellEdge(value, type, spot, validating)
  tellValueFlags(value, type, spot, validating)
  if (value.kind === 'str' && type.kind === 'str') {
    checkPattern(value, type, spot, validating)
    tellUnknownVars(value, type, spot, validating)
  }
  return value
}
