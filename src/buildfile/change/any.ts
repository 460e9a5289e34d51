import { namedForm, triedForms } from '../forms.ts'
import { matches } from '../matches.ts'
import type { Node } from '../node.ts'
import type { Spot } from '../spot.ts'
import type { AnyType } from '../type.ts'
import { attempt } from './attempt.ts'
import type { Changing } from './changing.ts'

/** The form that the value names; else the first one that is preferred, or that it fits then. */
export function changeAny(node: Node, type: AnyType, spot: Spot, changing: Changing): Node {
  const named = namedForm(node, type)
  if (named) return changing.change(node, named.form, { ...spot, provider: named.name })
  for (const form of triedForms(type)) {
    if (form.preferred) return changing.change(node, form, spot)
    const changed = attempt(changing, () => {
      const changed = changing.change(node, form, spot)
      return matches(changed, form) ? changed : undefined
    })
    if (changed) return changed
  }
  return node
}
