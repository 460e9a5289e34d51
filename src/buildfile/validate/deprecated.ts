import { isGiven } from '../given.ts'
import type { MapNode } from '../node.ts'
import type { Spot } from '../spot.ts'
import { tellKey } from '../tell.ts'
import type { MapType } from '../type.ts'
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
