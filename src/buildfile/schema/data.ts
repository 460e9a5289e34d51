import type { AnyType, MapType, SeqType, Type } from './values/type.ts'

/** A type as stored in the table: children are data too, or refer to a type by name. */
export type TypeData = MapData | SeqData | AnyData | PlainData | RefData

export type Fields = Partial<Omit<Type, 'kind'>>

export type MapData = Omit<MapType, 'keys' | 'others'> & {
  keys: Readonly<Record<string, TypeData>>
  others?: TypeData
}
export type SeqData = Omit<SeqType, 'of'> & { of: TypeData }
export type AnyData = Omit<AnyType, 'of'> & { of: readonly TypeData[] }
export type PlainData = Exclude<Type, MapType | SeqType | AnyType>
/** Fields next to the name apply to this reference only. */
export type RefData = Fields & { to: string }
