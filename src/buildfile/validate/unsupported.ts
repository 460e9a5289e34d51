import type { Node, MapNode } from '../tree/node.ts'
import { isGiven } from '../tree/has-content.ts'
import { plainValue } from '../tree/plain-value.ts'
import type { Spot } from '../tree/location.ts'
import { tellKey, tellValue } from '../messages/report.ts'
import type { BoolType, MapType, NumType, StrType, Type } from '../value-types/type.ts'
import { knownValue } from './enum.ts'
import { conflictsOf, type Limited } from './limits.ts'
import type { Validating } from './validating.ts'

/** Tells of keys that do not apply to the language, os or dist. */
export function tellUnsupportedKeys(
  map: MapNode,
  type: MapType,
  spot: Spot,
  validating: Validating,
): void {
  for (const entry of map.entries) {
    const { key, value } = entry
    const limited = limitsIn(type.keys[key])
    if (!limited || !isGiven(value)) continue
    for (const conflict of conflictsOf(limited, { above: spot, entry, siblings: map.entries })) {
      const args = { ...conflict, key, value: plainValue(value) }
      tellKey(validating, spot, entry, { level: 'warn', code: 'unsupported', args })
    }
  }
}

/** Of forms and entries, where the key itself says nothing. */
function limitsIn(type: Type | undefined): Limited | undefined {
  if (!type || type.only || type.except) return type
  if (type.kind === 'seq') return limitsIn(type.of)
  return type.kind === 'any' ? limitsIn(type.of[0]) : undefined
}

/** Tells of a value that does not apply to the language, os or dist. */
export function tellUnsupportedValue(
  node: Node,
  type: StrType | NumType | BoolType,
  spot: Spot,
  validating: Validating,
): void {
  const known = knownValue(node, type)
  if (!known || !spot.entry) return
  for (const conflict of conflictsOf(known, spot)) {
    const args = { ...conflict, key: spot.entry.key, value: known.value }
    tellValue(validating, spot, node, { level: 'warn', code: 'unsupported', args })
  }
}
