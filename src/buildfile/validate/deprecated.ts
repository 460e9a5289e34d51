import { hasContent } from '../tree/has-content.ts'
import type { MapNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportKey } from '../messages/report.ts'
import type { MapType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

export function reportDeprecatedKeys(
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
