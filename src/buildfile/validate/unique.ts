import type { MapNode, SeqNode, StrNode } from '../tree/node.ts'
import { perType } from '../value-types/per-type.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { MapType, SeqType, Type } from '../value-types/type.ts'
import { triedForms } from '../value-types/forms.ts'
import type { Validating } from './validating.ts'

/** Each of thousands of messages would list thousands of names. */
const maximumListed = 100

/** Reports a name that something else in the build has. */
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

/** Reports names that several entries of a sequence have; points at the first that is one more. */
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
