import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { Limits } from '../value-types/type.ts'

export interface Limited {
  only?: Limits
  except?: Limits
}

type LimitKey = keyof Limits

/** Whether something applies to the language, os and dist that are known at a location. */
export function isSupported({ only = {}, except = {} }: Limited, location: Location): boolean {
  return (
    limitsOf(only).every(([key, list]) => {
      const values = valuesAt(location, key)
      return values.length === 0 || values.some((value) => list.includes(value))
    }) &&
    limitsOf(except).every(([key, list]) => {
      const values = valuesAt(location, key)
      return values.length === 0 || !values.every((value) => list.includes(value))
    })
  )
}

export interface Conflict {
  on_key: LimitKey
  on_value: string
}

/** Each value that something does not apply to. */
export function conflictsOf({ only = {}, except = {} }: Limited, location: Location): Conflict[] {
  return [
    ...limitsOf(only).flatMap(([on_key, list]) =>
      valuesAt(location, on_key)
        .filter((value) => !list.includes(value))
        .map((on_value) => ({ on_key, on_value })),
    ),
    ...limitsOf(except).flatMap(([on_key, list]) =>
      valuesAt(location, on_key)
        .filter((value) => list.includes(value))
        .map((on_value) => ({ on_key, on_value })),
    ),
  ]
}

function limitsOf(limits: Limits): [LimitKey, readonly string[]][] {
  return Object.entries(limits) as [LimitKey, readonly string[]][]
}

/** The values under a key: in the map around the location, else in those above it. */
function valuesAt(location: Location, wanted: LimitKey): string[] {
  for (let at: Location | undefined = location; at; at = at.above) {
    const values = textsIn(at.siblings?.find(({ key }) => key === wanted)?.value)
    if (values.length > 0) return values
  }
  return []
}

function textsIn(node: Node | undefined): string[] {
  if (node?.kind === 'str') return node.value === '' ? [] : [node.value]
  return node?.kind === 'seq' ? node.items.flatMap(textsIn) : []
}
