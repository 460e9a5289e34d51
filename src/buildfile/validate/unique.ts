import type { MapNode, SeqNode } from '../node.ts'
import { perType } from '../per-type.ts'
import type { Spot } from '../spot.ts'
import { tellValue } from '../tell.ts'
import type { MapType, SeqType, Type } from '../type.ts'
import { triedForms } from '../forms.ts'
import type { Validating } from './validating.ts'

/** Each of thousands of messages would list thousands of names. */
const mostShown = 100

/** Tells of a name that something else in the build has. */
export function checkNameInBuild(
  map: MapNode,
  type: MapType,
  spot: Spot,
  validating: Validating,
): void {
  if (!type.flags?.includes('unique_in_build')) return
  const name = textUnder(map, 'name')
  if (name === undefined) return
  const { usedNames } = validating
  if (usedNames.has(name)) {
    const args = { values: [...usedNames].slice(0, mostShown) }
    tellValue(validating, spot, map, { level: 'error', code: 'duplicate', args })
  }
  usedNames.add(name)
}

/** Tells of names that several entries of a sequence have. */
export function checkUnique(seq: SeqNode, type: SeqType, spot: Spot, validating: Validating): void {
  for (const key of uniqueKeys(type)) {
    const repeated = repeatedTexts(seq, key)
    if (repeated.length === 0) continue
    const args = { values: `${key}: ${repeated.join(', ')}` }
    tellValue(validating, spot, seq, { level: 'info', code: 'duplicate', args })
  }
}

const uniqueKeys = perType(({ of }: SeqType): readonly string[] => uniqueIn(of))

function uniqueIn(type: Type | undefined): readonly string[] {
  if (type?.kind === 'any') return uniqueIn(triedForms(type)[0])
  if (type?.kind !== 'map') return []
  const { keys } = type
  return Object.keys(keys).filter((key) => keys[key]?.flags?.includes('unique'))
}

function repeatedTexts({ items }: SeqNode, key: string): string[] {
  const counts = new Map<string, number>()
  for (const item of items) {
    const text = item.kind === 'map' ? textUnder(item, key) : undefined
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > 1).map(([text]) => text)
}

function textUnder({ entries }: MapNode, wanted: string): string | undefined {
  const value = entries.find(({ key }) => key === wanted)?.value
  return value?.kind === 'str' ? value.value : undefined
}
