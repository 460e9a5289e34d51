import { namedForm, triedForms } from '../value-types/forms.ts'
import { matches } from '../value-types/matches.ts'
import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { AnyType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

/** The form that the value names; else the first one that is preferred, or that it fits then. */
export function changeAny(node: Node, type: AnyType, location: Location, changing: Changing): Node {
  const named = namedForm(node, type)
  if (named) return changing.change(node, named.form, { ...location, provider: named.name })
  for (const form of triedForms(type)) {
    const changed = changing.change(node, form, location)
    if (form.preferred || matches(changed, form)) return changed
  }
  return node
}
