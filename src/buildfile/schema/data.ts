import type { AnyType, MapType, SeqType, Type } from '../value-types/type.ts'

/** A type as the table has it: children are data too, or refer to a type by its name. */
export type TypeData = MapData | SeqData | AnyData | PlainData | RefData

export type Fields = Partial<Omit<Type, 'kind'>>

export type MapData = Omit<MapType, 'keys' | 'others'> & {
  keys: Readonly<Record<string, TypeData>>
  others?: TypeData
}
export type SeqData = Omit<SeqType, 'of'> & { of: TypeData }
export type AnyData = Omit<AnyType, 'of'> & { of: readonly TypeData[] }
export type PlainData = Exclude<Type, MapType | SeqType | AnyType>
/** What a reference says beside the name counts for this reference. */
export type RefData = Fields & { to: string }
