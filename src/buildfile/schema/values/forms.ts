import { candidatesFrom, findMeant } from '../../misspellings/misspelling.ts'
import type { Node } from '../../tree/node.ts'
import { perType } from './per-type.ts'
import type { AnyType, Type } from './type.ts'

/** The forms to try: the preferred forms, if there are any. */
export const triedForms = perType(({ of }: AnyType): readonly Type[] => {
  const preferred = of.filter((form) => form.preferred)
  return preferred.length > 0 ? preferred : of
})

export interface NamedForm {
  name: string
  form: Type
}

/** The form that a value names, in the way deployments name their provider. */
export function namedForm(node: Node, type: AnyType): NamedForm | undefined {
  const { detectBy } = type
  if (detectBy === undefined) return undefined
  const name = nameIn(node, detectBy)
  if (name === undefined) return undefined
  const { forms, candidates } = formNames(type)
  const known = forms.has(name) ? name : findMeant(name, candidates)
  const form = known === undefined ? undefined : forms.get(known)
  return known === undefined || !form ? undefined : { name: known, form }
}

function nameIn(node: Node, detectBy: string): string | undefined {
  if (node.kind === 'str') return node.value
  if (node.kind !== 'map') return undefined
  const value = node.entries.find(({ key }) => key === detectBy)?.value
  return value?.kind === 'str' ? value.value : undefined
}

const formNames = perType(({ of, detectBy = '' }: AnyType) => {
  const forms = new Map(
    of.flatMap((form) => namesOf(form, detectBy).map((name) => [name, form] as const)),
  )
  return { forms, candidates: candidatesFrom(forms.keys()) }
})

/** The values that the key can have in this form. */
function namesOf(form: Type, detectBy: string): string[] {
  if (form.kind === 'any') return form.of.flatMap((inner) => namesOf(inner, detectBy))
  if (form.kind !== 'map') return []
  const key = form.keys[detectBy]
  return key?.kind === 'str' ? (key.values ?? []).map(({ value }) => String(value)) : []
}
