import { reportKey } from '../messages/report.ts'
import { shownValue } from '../messages/shown-value.ts'
import { isAccepted, isCustom } from '../schema/values/accepted-keys.ts'
import type { MapType } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { MapNode } from '../tree/node.ts'
import type { Validating } from './validating.ts'

const advice = 'define anchors on keys starting with "_" or "."'

export function reportUnknownKeys(
  map: MapNode,
  type: MapType,
  location: Location,
  validating: Validating,
): void {
  for (const entry of map.entries) {
    const { key, value } = entry
    if (!isUnknown(type, key) || !hasContent(value)) continue
    const report = validating.anchorNames.has(key)
      ? { code: 'deprecated_key', args: { key, info: advice } }
      : { code: 'unknown_key', args: { key, value: shownValue(validating, value) } }
    reportKey(validating, location, entry, { level: 'warn', ...report })
  }
}

/** `merge_mode` is about the merging of sources, and belongs to no map. */
export function isUnknown(type: MapType, key: string): boolean {
  return !isAccepted(type, key) && !isCustom(key) && key !== 'merge_mode'
}
