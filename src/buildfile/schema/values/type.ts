/**
 * The type of a value in a build file. Each type is made once from the schema, at its first use
 * (`schema/load.ts`).
 */
export type Type = MapType | SeqType | StrType | NumType | BoolType | SecureType | AnyType

export type Kind = Type['kind']

/** `edge` is experimental, `internal` not advertised; names can be `unique` among their kind. */
export type Flag = 'edge' | 'internal' | 'unique' | 'unique_in_build'

/** The languages, systems and dists that a key or value is limited to. */
export type ValueLimits = Readonly<Partial<Record<'language' | 'os' | 'dist', readonly string[]>>>

/** Fields of any type, about the type itself and the key that holds it. */
export interface TypeFields {
  /** Other names of the key that holds the type; names in its forms and entries count too. */
  aliases?: readonly string[]
  /** The normal form among the forms of an `any`. */
  preferred?: boolean
  /** The advice on what to do instead. */
  deprecated?: string
  flags?: readonly Flag[]
  only?: ValueLimits
  except?: ValueLimits
  /** A matrix key: several values make several jobs. */
  expands?: boolean
  /** The first supported default counts. Forms and entries have the defaults too. */
  defaults?: readonly Default[]
}

export interface Default {
  value: string | number | boolean | null
  only?: ValueLimits
  except?: ValueLimits
}

export interface MapType extends TypeFields {
  kind: 'map'
  /** In order; the record has no prototype. */
  keys: Readonly<Record<string, Type>>
  /** Only these keys and custom ones are accepted. */
  strict: boolean
  /** The type of all other keys, or of keys that match `othersPattern` if there is one. */
  others?: Type
  othersPattern?: string
  required?: readonly string[]
  /** The keys that are visited first, and exist even if they are not in the file; `required` if absent. */
  firstKeys?: readonly string[]
  /** The keys that expand. */
  matrixKeys?: readonly string[]
  /** Keys by their other names, including names in their forms or entries. */
  otherNames?: Readonly<Record<string, string>>
  /** A value of another form is read as the value of this key; `only` limits the kinds of such values. */
  shorthand?: { readonly key: string; readonly only?: readonly Kind[] }
  /** A bool is short for `{enabled: bool}`. */
  enable?: boolean
  /** Keys that move from here into every map below without them. */
  inherit?: readonly string[]
  /** Names, paths and lists are read as in `cache`. */
  cacheShorthand?: boolean
}

export interface SeqType extends TypeFields {
  kind: 'seq'
  of: Type
  /** Whether strings are definitions of environment variables. */
  envStrings?: boolean
}

export interface StrType extends TypeFields {
  kind: 'str'
  values?: readonly EnumValue[]
  lowercase?: boolean
  ignoreCase?: boolean
  pattern?: string
  /** Names allowed in `%{name}`. */
  vars?: readonly string[]
}

export interface NumType extends TypeFields {
  kind: 'num'
}

export interface BoolType extends TypeFields {
  kind: 'bool'
  values?: readonly EnumValue[]
}

export interface SecureType extends TypeFields {
  kind: 'secure'
  /** Whether a plain string is a secret in plain text. */
  strict: boolean
}

export interface AnyType extends TypeFields {
  kind: 'any'
  of: readonly Type[]
  /** The key whose value names the form. */
  detectBy?: string
}

export interface EnumValue {
  value: string | boolean
  aliases?: readonly string[]
  only?: ValueLimits
  except?: ValueLimits
  deprecated?: string
  edge?: boolean
  internal?: boolean
}

/** The type of a key's value; undefined if the map does not define one. */
export function valueType(type: MapType, key: string): Type | undefined {
  return type.keys[key] ?? type.others
}
