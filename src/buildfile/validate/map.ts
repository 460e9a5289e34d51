import { reportMap, reportKey } from '../messages/report.ts'
import { type MapType, valueType } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Entry, MapNode, Node } from '../tree/node.ts'
import { checkCondition } from './condition.ts'
import { reportEmpty } from './empty.ts'
import { reportEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { keptEntries } from './kept-entries.ts'
import { nothing } from './nothing.ts'
import { checkNameInBuild } from './unique.ts'
import { reportUnknownKeys } from './unknown-keys.ts'
import { reportUnsupportedKeys } from './unsupported.ts'
import type { Validating } from './validating.ts'

export function validateMap(
  node: Node,
  type: MapType,
  location: Location,
  validating: Validating,
): Node {
  const { drop, support } = validating.options
  if (node.kind !== 'map') {
    const invalid = isInvalid(node, 'map', location, validating)
    return drop && invalid ? nothing(node) : node
  }
  const map = withEntries(node, validEntries(node, type, location, validating))
  checkNameInBuild(map, type, location, validating)
  if (type.strict) reportUnknownKeys(map, type, location, validating)
  if (support) reportUnsupportedKeys(map, type, location, validating)
  const kept = type.strict ? withEntries(map, keptEntries(map, type, validating)) : map
  const complete = hasRequired(kept, type, location, validating)
  reportEmpty(kept, location, validating)
  reportEdge(kept, type, location, validating)
  reportDeprecatedKeys(kept, type, location, validating)
  const readable = checkCondition(kept, type, location, validating)
  const isWrong = !complete || !readable
  return drop && isWrong && location.entry ? nothing(node) : kept
}

function withEntries({ start, end }: MapNode, entries: Entry[]): MapNode {
  return { kind: 'map', entries, start, end }
}

/** Each value is checked together with the entries around it, including defaults filled in so far. */
function validEntries(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): Entry[] {
  const entries = [...map.entries]
  map.entries.forEach((entry, index) => {
    const { key, value } = entry
    const wanted = valueType(type, key)
    if (!wanted) return
    const valid = validating.validate(value, wanted, { above: location, entry, siblings: entries })
    if (valid !== value) entries[index] = { ...entry, value: valid }
  })
  return entries
}

function hasRequired(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): boolean {
  const missing = (type.required ?? []).filter(
    (key) => !map.entries.some((entry) => entry.key === key && entry.value.kind !== 'none'),
  )
  for (const key of missing) {
    reportMap(validating, location, { level: 'error', code: 'required', args: { key } })
  }
  return missing.length === 0
}

function reportDeprecatedKeys(
  map: MapNode,
  { keys }: MapType,
  location: Location,
  validating: Validating,
): void {
  for (const entry of map.entries) {
    const { key, value } = entry
    const info = keys[key]?.deprecated
    if (info === undefined || !(hasContent(value) || value.kind === 'seq')) continue
    reportKey(validating, location, entry, {
      level: 'warn',
      code: 'deprecated_key',
      args: { key, info },
    })
  }
}
