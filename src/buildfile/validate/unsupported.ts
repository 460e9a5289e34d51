import { reportKey, reportValue } from '../messages/report.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { BoolType, MapType, NumType, StrType, Type } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node, MapNode } from '../tree/node.ts'
import { knownValue } from './enum.ts'
import { conflictsOf, type Limited } from './limits.ts'
import type { Validating } from './validating.ts'

/** Reports keys that do not apply to the language, os or dist. */
export function reportUnsupportedKeys(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): void {
  for (const entry of map.entries) {
    const { key, value } = entry
    const limited = limitsIn(type.keys[key])
    if (!limited || !hasContent(value)) continue
    for (const conflict of conflictsOf(limited, {
      above: location,
      entry,
      siblings: map.entries,
    })) {
      const args = { ...conflict, key, value: shownValue(validating, value) }
      reportKey(validating, location, entry, { level: 'warn', code: 'unsupported', args })
    }
  }
}

/** The limits of a key, else of its first form or its entries. */
function limitsIn(type: Type | undefined): Limited | undefined {
  if (!type || type.only || type.except) return type
  if (type.kind === 'seq') return limitsIn(type.of)
  return type.kind === 'any' ? limitsIn(type.of[0]) : undefined
}

/** Reports a value that does not apply to the language, os or dist. */
export function reportUnsupportedValue(
  node: Node,
  type: StrType | NumType | BoolType,
  location: Location,
  validating: Validating,
): void {
  const known = knownValue(node, type)
  if (!known || !location.entry) return
  for (const conflict of conflictsOf(known, location)) {
    const args = { ...conflict, key: location.entry.key, value: known.value }
    reportValue(validating, location, node, { level: 'warn', code: 'unsupported', args })
  }
}
