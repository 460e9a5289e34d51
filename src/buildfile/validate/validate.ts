import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { Reporter } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'
import { validateAny } from './any.ts'
import { validateMap } from './map.ts'
import { validateScalar } from './scalar.ts'
import { validateSeq } from './seq.ts'
import type { Validating } from './validating.ts'

/** The validate pass: reports what is wrong, and fills in defaults. */
export function validateTree(
  root: Node,
  type: Type,
  anchorNames: ReadonlySet<string>,
  reporter: Reporter,
): Node {
  const conditions = conditionsIn(root)
  const validating: Validating = {
    ...reporter,
    validate,
    anchorNames,
    conditions,
    usedNames: new Set(),
  }
  function validate(node: Node, type: Type, location: Location): Node {
    switch (type.kind) {
      case 'any':
        return validateAny(node, type, location, validating)
      case 'map':
        return validateMap(node, type, location, validating)
      case 'seq':
        return validateSeq(node, type, location, validating)
      default:
        return validateScalar(node, type, location, validating)
    }
  }
  return validate(root, type, {})
}

function conditionsIn(root: Node): 'v0' | 'v1' {
  if (root.kind !== 'map') return 'v1'
  const version = root.entries.find(({ key }) => key === 'conditions')?.value
  return version?.kind === 'str' && version.value === 'v0' ? 'v0' : 'v1'
}
