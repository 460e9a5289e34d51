import type { ValueLimits } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'

export interface Limited {
  only?: ValueLimits
  except?: ValueLimits
}

type LimitKey = keyof ValueLimits

/** Whether a key or value applies to the language, os and dist known at a location. */
export function isSupported({ only = {}, except = {} }: Limited, location: Location): boolean {
  return (
    limitsOf(only).every(([key, list]) => {
      const values = valuesAt(location, key)
      return values.length === 0 || values.some((value) => includes(list, value))
    }) &&
    limitsOf(except).every(([key, list]) => {
      const values = valuesAt(location, key)
      return values.length === 0 || !values.every((value) => includes(list, value))
    })
  )
}

export interface Conflict {
  on_key: LimitKey
  on_value: string
}

/** The languages, systems and dists to which a key or value does not apply. */
export function conflictsOf({ only = {}, except = {} }: Limited, location: Location): Conflict[] {
  return [
    ...limitsOf(only).flatMap(([on_key, list]) =>
      textsAt(location, on_key)
        .filter((value) => !list.includes(value))
        .map((on_value) => ({ on_key, on_value })),
    ),
    ...limitsOf(except).flatMap(([on_key, list]) =>
      textsAt(location, on_key)
        .filter((value) => list.includes(value))
        .map((on_value) => ({ on_key, on_value })),
    ),
  ]
}

function limitsOf(limits: ValueLimits): [LimitKey, readonly string[]][] {
  return Object.entries(limits) as [LimitKey, readonly string[]][]
}

/** The values under a key: in the map around the location, else in the maps above. */
function valuesAt(location: Location, wanted: LimitKey): Node[] {
  for (let at: Location | undefined = location; at; at = at.above) {
    const values = valuesIn(at.siblings?.find(({ key }) => key === wanted)?.value)
    if (values.length > 0) return values
  }
  return []
}

/** Values that are not text count as given, but are not in any list. */
function valuesIn(node: Node | undefined): Node[] {
  if (!node || !hasContent(node)) return []
  return node.kind === 'seq' ? node.items.flatMap(valuesIn) : [node]
}

const includes = (list: readonly string[], node: Node) =>
  node.kind === 'str' && list.includes(node.value)

function textsAt(location: Location, wanted: LimitKey): string[] {
  return valuesAt(location, wanted).flatMap((node) => (node.kind === 'str' ? node.value : []))
}
