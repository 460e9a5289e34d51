import type { MapType, Type } from './type.ts'

/** The type of the value of a key; undefined where the map has no say about it. */
export function valueType(type: MapType, key: string): Type | undefined {
  return type.keys[key] ?? type.others
}
