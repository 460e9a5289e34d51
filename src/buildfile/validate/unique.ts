import { reportValue } from '../messages/report.ts'
import { triedForms } from '../schema/values/forms.ts'
import { perType } from '../schema/values/per-type.ts'
import type { MapType, SeqType, Type } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { MapNode, SeqNode, StrNode } from '../tree/node.ts'
import type { Validating } from './validating.ts'

/** Otherwise each of thousands of messages would list thousands of names. */
const maximumListed = 100

/** Reports a name that is used elsewhere in the build. */
export function checkNameInBuild(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): void {
  if (!type.flags?.includes('unique_in_build')) return
  const name = textUnder(map, 'name')?.value
  if (name === undefined) return
  const { usedNames } = validating
  if (usedNames.has(name)) {
    const args = { values: [...usedNames].slice(0, maximumListed) }
    reportValue(validating, location, map, { level: 'error', code: 'duplicate', args })
  }
  usedNames.add(name)
}

/** Reports names that several entries of a sequence have, at the first repetition. */
export function checkUnique(
  seq: SeqNode,
  type: SeqType,
  location: Location,
  validating: Validating,
): void {
  for (const key of uniqueKeys(type)) {
    const repeated = repeatedTexts(seq, key)
    const [, again] = repeated[0]?.nodes ?? []
    if (!again) continue
    const args = { values: `${key}: ${repeated.map(({ text }) => text).join(', ')}` }
    reportValue(validating, location, again, { level: 'info', code: 'duplicate', args })
  }
}

const uniqueKeys = perType(({ of }: SeqType): readonly string[] => uniqueIn(of))

function uniqueIn(type: Type | undefined): readonly string[] {
  if (type?.kind === 'any') return uniqueIn(triedForms(type)[0])
  if (type?.kind !== 'map') return []
  const { keys } = type
  return Object.keys(keys).filter((key) => keys[key]?.flags?.includes('unique'))
}

interface Repeated {
  text: string
  nodes: readonly StrNode[]
}

function repeatedTexts({ items }: SeqNode, key: string): Repeated[] {
  const nodesByText = new Map<string, StrNode[]>()
  for (const item of items) {
    const node = item.kind === 'map' ? textUnder(item, key) : undefined
    if (!node) continue
    const nodes = nodesByText.get(node.value)
    if (nodes) nodes.push(node)
    else nodesByText.set(node.value, [node])
  }
  return [...nodesByText]
    .filter(([, nodes]) => nodes.length > 1)
    .map(([text, nodes]) => ({ text, nodes }))
}

function textUnder({ entries }: MapNode, wanted: string): StrNode | undefined {
  const value = entries.find(({ key }) => key === wanted)?.value
  return value?.kind === 'str' ? value : undefined
}
