import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { BoolType, NumType, SecureType, StrType } from '../value-types/type.ts'
import { cast } from './cast.ts'
import type { Changing } from './changing.ts'
import { enumValue } from './enum-value.ts'
import { firstScalar } from './first-entry.ts'
import { lowerCase } from './lower-case.ts'

type ScalarType = StrType | NumType | BoolType | SecureType

export function changeScalar(
  node: Node,
  type: ScalarType,
  location: Location,
  changing: Changing,
): Node {
  const value = cast(firstScalar(node, type, location, changing), type.kind)
  if (value.kind !== 'str' || type.kind !== 'str') return value
  return enumValue(lowerCase(value, type, location, changing), type, location, changing)
}
