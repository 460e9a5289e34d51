import { isGiven } from '../tree/has-content.ts'
import type { MapNode } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellKey } from '../messages/report.ts'
import type { MapType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

export function tellDeprecatedKeys(
  map: MapNode,
  { keys }: MapType,
  spot: Spot,
  validating: Validating,
): void {
  for (const entry of map.entries) {
    const { key, value } = entry
    const info = keys[key]?.deprecated
    if (info === undefined || !isGiven(value)) continue
    tellKey(validating, spot, entry, { level: 'warn', code: 'deprecated_key', args: { key, info } })
  }
}
