import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { BoolType, NumType, SecureType, StrType } from '../value-types/type.ts'
import { withDefault } from './default.ts'
import { isUnknownValue, reportValueFlags } from './enum.ts'
import { reportEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { nothing } from './nothing.ts'
import { validateSecure } from './secure.ts'
import { checkPattern, reportUnknownVars } from './text.ts'
import { reportUnsupportedValue } from './unsupported.ts'
import type { Validating } from './validating.ts'

type ScalarType = StrType | NumType | BoolType | SecureType

export function validateScalar(
  node: Node,
  type: ScalarType,
  location: Location,
  validating: Validating,
): Node {
  const { drop, support } = validating.options
  const invalid = isInvalid(node, type.kind, location, validating)
  if (type.kind === 'secure') {
    return drop && invalid ? nothing(node) : validateSecure(node, type, location, validating)
  }
  const unknown = isUnknownValue(node, type, location, validating)
  if (drop && (invalid || unknown)) return nothing(node)
  if (support) reportUnsupportedValue(node, type, location, validating)
  const value = withDefault(node, type, location, validating)
  reportEdge(value, type, location, validating)
  reportValueFlags(value, type, location, validating)
  if (value.kind === 'str' && type.kind === 'str') {
    checkPattern(value, type, location, validating)
    reportUnknownVars(value, type, location, validating)
  }
  return value
}
