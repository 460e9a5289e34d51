import type { Entry, MapNode, Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellMap } from '../messages/report.ts'
import type { MapType } from '../value-types/type.ts'
import { valueType } from '../value-types/value-type.ts'
import { checkCondition } from './condition.ts'
import { tellDeprecatedKeys } from './deprecated.ts'
import { tellEmpty } from './empty.ts'
import { tellEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { keptEntries } from './kept-entries.ts'
import { nothing } from './nothing.ts'
import { checkNameInBuild } from './unique.ts'
import { tellUnknownKeys } from './unknown-keys.ts'
import { tellUnsupportedKeys } from './unsupported.ts'
import type { Validating } from './validating.ts'

export function validateMap(node: Node, type: MapType, spot: Spot, validating: Validating): Node {
  const { drop, support } = validating.options
  if (node.kind !== 'map') {
    const invalid = isInvalid(node, 'map', spot, validating)
    return drop && invalid ? nothing(node) : node
  }
  const map = withEntries(node, validEntries(node, type, spot, validating))
  checkNameInBuild(map, type, spot, validating)
  if (type.strict) tellUnknownKeys(map, type, spot, validating)
  if (support) tellUnsupportedKeys(map, type, spot, validating)
  const kept = type.strict ? withEntries(map, keptEntries(map, type, validating)) : map
  const complete = hasRequired(kept, type, spot, validating)
  tellEmpty(kept, spot, validating)
  tellEdge(kept, type, spot, validating)
  tellDeprecatedKeys(kept, type, spot, validating)
  const readable = checkCondition(kept, type, spot, validating)
  const isWrong = !complete || !readable
  return drop && isWrong && spot.entry ? nothing(node) : kept
}

function withEntries({ start, end }: MapNode, entries: Entry[]): MapNode {
  return { kind: 'map', entries, start, end }
}

/** Values see those of the keys around them as far as they are known, defaults among them. */
function validEntries(map: MapNode, type: MapType, spot: Spot, validating: Validating): Entry[] {
  const entries = [...map.entries]
  map.entries.forEach((entry, index) => {
    const { key, value } = entry
    const wanted = valueType(type, key)
    if (!wanted) return
    const valid = validating.validate(value, wanted, { above: spot, entry, siblings: entries })
    if (valid !== value) entries[index] = { ...entry, value: valid }
  })
  return entries
}

function hasRequired(map: MapNode, type: MapType, spot: Spot, validating: Validating): boolean {
  const missing = (type.required ?? []).filter(
    (key) => !map.entries.some((entry) => entry.key === key && entry.value.kind !== 'none'),
  )
  for (const key of missing) {
    tellMap(validating, spot, { level: 'error', code: 'required', args: { key } })
  }
  return missing.length === 0
}
