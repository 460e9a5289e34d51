import { namedForm, triedForms } from '../value-types/forms.ts'
import { matches } from '../value-types/matches.ts'
import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { AnyType, Type } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

/** Checks by the form that the value names; else by the first that it fits, or that there is. */
export function validateAny(
  node: Node,
  type: AnyType,
  location: Location,
  validating: Validating,
): Node {
  const named = namedForm(node, type)
  if (named) return validating.validate(node, named.form, { ...location, provider: named.name })
  const form = formFor(node, triedForms(type))
  return form ? validating.validate(node, form, location) : node
}

function formFor(node: Node, forms: readonly Type[]): Type | undefined {
  const [first] = forms
  if (forms.length === 1) return first
  return forms.find((form) => matches(node, form)) ?? first
}
