/**
 * What a value of a build file may be. Types are made from the schema when they are first used
 * (`schema/load.ts`), each of them once.
 */
export type Type = MapType | SeqType | StrType | NumType | BoolType | SecureType | AnyType

export type Kind = Type['kind']

/** `edge` is experimental, `internal` not advertised; names may be `unique` among their kind. */
export type Flag = 'edge' | 'internal' | 'unique' | 'unique_in_build'

/** What a key or a value is limited to. */
export type Limits = Readonly<Partial<Record<'language' | 'os' | 'dist', readonly string[]>>>

/** What any type may say, about itself and about the key that holds it. */
export interface TypeFields {
  /** Other names of the key that holds it; those of forms and of entries count as well. */
  aliases?: readonly string[]
  /** The normal form among the forms of an `any`. */
  preferred?: boolean
  /** What to do instead. */
  deprecated?: string
  flags?: readonly Flag[]
  only?: Limits
  except?: Limits
  /** A matrix key: several values make several jobs. */
  expands?: boolean
  /** The first that is supported counts. Forms and entries have them as well. */
  defaults?: readonly Default[]
}

export interface Default {
  value: string | number | boolean | null
  only?: Limits
  except?: Limits
}

export interface MapType extends TypeFields {
  kind: 'map'
  /** In their order; without a prototype. */
  keys: Readonly<Record<string, Type>>
  /** Only these keys and custom ones are accepted. */
  strict: boolean
  /** The type of all other keys, of those that fit the pattern if there is one. */
  others?: Type
  othersPattern?: string
  required?: readonly string[]
  /** Those that are visited first, and are there even if the file lacks them; else `required`. */
  firstKeys?: readonly string[]
  /** Those that expand. */
  matrixKeys?: readonly string[]
  /** The key by another name of it, of its forms or entries. */
  otherNames?: Readonly<Record<string, string>>
  /** A value of another form is the value of this key; `only` names the kinds it is for. */
  shorthand?: { readonly key: string; readonly only?: readonly Kind[] }
  /** A bool stands for `{enabled: bool}`. */
  enable?: boolean
  /** Keys that move from here into every map below that lacks them. */
  inherit?: readonly string[]
  /** Names, paths and lists are read as in `cache`. */
  cacheShorthand?: boolean
}

export interface SeqType extends TypeFields {
  kind: 'seq'
  of: Type
  /** Strings hold definitions of environment variables. */
  envStrings?: boolean
}

export interface StrType extends TypeFields {
  kind: 'str'
  values?: readonly EnumValue[]
  lowercase?: boolean
  ignoreCase?: boolean
  pattern?: string
  /** Names that may stand in `%{name}`. */
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
  /** A plain string is a secret in plain text. */
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
  only?: Limits
  except?: Limits
  deprecated?: string
  edge?: boolean
  internal?: boolean
}
