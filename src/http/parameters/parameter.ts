import { Ajv, type SchemaObject, type ValidateFunction } from 'ajv'
import {
  type FieldError,
  ServiceError,
  validationFailed,
  wrongParams,
} from '../../domain/errors.ts'
import type { Given } from './nest.ts'

/** A parameter of an endpoint. */
export interface Parameter<T> {
  /** Schema for the API's documents. */
  schema: SchemaObject
  /** Converts the value given under a name, undefined if nothing was given. Throws if it is invalid. */
  read(given: unknown, name: string): T
  /** Whether `name` is enough for `type.name`. */
  plain?: boolean
  /** Whether it is left out of the API's documents, although it is accepted. */
  hidden?: boolean
  /** Whether a call without it is refused. */
  required?: boolean
  /** Whether it is read only from the query, even if the other parameters are in a body. */
  inQuery?: boolean
}

/** The parameters of an endpoint. Parameters of a resource type are named like `branch.name`. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** The values of parameters, by the same names. */
export type Values<P extends Parameters> = {
  readonly [N in keyof P]: P[N] extends Parameter<infer T> ? T : never
}

interface Kind<T> {
  schema: SchemaObject
  /** Converts the given value to the schema's type, such as a string of digits to a number. */
  parse(given: unknown): unknown
  /** The error for a value that the schema rejects; by default 400. */
  refuse?(name: string, given: unknown): Error
  /** Converts an accepted value; by default it is unchanged. */
  value?(accepted: never): T
  required?: boolean
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true })

/** A kind of parameter. Its schema is compiled on first use: compiling all takes most of a start. */
export function parameter<T>({
  schema,
  parse,
  refuse,
  value,
  required = false,
}: Kind<T>): Parameter<T> {
  let isValid: ValidateFunction | undefined
  return {
    schema,
    ...(required ? { required } : {}),
    read(given, name) {
      const parsed = parse(given)
      if (parsed !== undefined && !(isValid ??= ajv.compile(schema))(parsed)) {
        throw refuse?.(name, given) ?? wrongParams(`${name} must be ${named(schema)}`)
      }
      return value ? value(parsed as never) : (parsed as T)
    },
  }
}

/** A required parameter, whose validity may be known only when the record is found. */
export function required<T>({
  read,
  ...parameter
}: Parameter<T>): Parameter<Exclude<T, undefined>> {
  return {
    ...parameter,
    required: true,
    read(given, name) {
      const value = read(given, name)
      if (value === undefined) throw wrongParams(`${name} must be given`)
      return value as Exclude<T, undefined>
    },
  }
}

/** A parameter with a description for the documents. */
export const described = <T>(description: string, parameter: Parameter<T>): Parameter<T> => ({
  ...parameter,
  schema: { ...parameter.schema, description },
})

/** A parameter that is accepted but not listed in documents. */
export const unlisted = <T>(parameter: Parameter<T>): Parameter<T> => ({
  ...parameter,
  hidden: true,
})

/** Several parameters that are accepted but not listed in documents. */
export const allUnlisted = <P extends Parameters>(parameters: P): P => mapped(parameters, unlisted)

function mapped<P extends Parameters>(
  parameters: P,
  change: (parameter: Parameter<unknown>) => Parameter<unknown>,
): P {
  const changed = Object.entries(parameters).map(([name, each]) => [name, change(each)])
  return Object.fromEntries(changed) as P
}

/** Parameters that are read only from the query, in all calls. */
export function inQuery<P extends Parameters>(parameters: P): P {
  return mapped(parameters, (each) => ({ ...each, inQuery: true }))
}

function named({ description = 'valid' }: SchemaObject): string {
  return String(description)
}

/** Parameters of one resource type, for which the last part of their names is enough. */
export function ofType<const T extends string, P extends Parameters>(
  type: T,
  parameters: P,
): { readonly [N in keyof P & string as `${T}.${N}`]: P[N] } {
  const named = Object.entries(parameters).map(([name, each]) => [
    `${type}.${name}`,
    { ...each, plain: true },
  ])
  return Object.fromEntries(named) as ReturnType<typeof ofType<T, P>>
}

/**
 * Reads the parameters of a call. Throws at the first invalid one, except that validation errors of
 * fields to be stored are reported together.
 */
export function valuesOf<P extends Parameters>(accepts: P, given: Given): Values<P> {
  const wrong: FieldError[] = []
  const values = Object.entries(accepts).map(([name, each]) => {
    try {
      const [value, writtenName] = find(given, name, each)
      return [name, each.read(value, writtenName)]
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.details.fields) throw error
      wrong.push(...error.details.fields)
      return [name, undefined]
    }
  })
  if (wrong.length > 0) throw validationFailed(wrong)
  return Object.fromEntries(values) as Values<P>
}

/** Every name under which these parameters can be given. */
export function acceptedNames(accepts: Parameters): string[] {
  return Object.entries(accepts).flatMap(([name, { plain }]) =>
    plain === true ? [name, splitName(name).key] : [name],
  )
}

/** The given names that are neither these parameters nor records that contain some. */
export function unknownNames(accepts: Parameters, given: Given): string[] {
  const names = Object.keys(given)
  if (names.length === 0) return names
  const named = given['@type']
  const known = new Set(named === undefined ? acceptedNames(accepts) : Object.keys(accepts))
  for (const { type, key } of Object.keys(accepts).map(splitName)) {
    if (type !== undefined && isRecord(given[type])) known.add(type)
    if (type !== undefined && named === type) known.add(key)
  }
  return names.filter((name) => !known.has(name))
}

/**
 * `type.name` is given under that name, as a member of `type`, or as `name` alone next to `@type`. Also
 * returns the name by which it was given, for messages.
 */
function find(
  given: Given,
  name: string,
  { plain = false }: Parameter<unknown>,
): [value: unknown, writtenName: string] {
  const { type, key } = splitName(name)
  if (type === undefined || given[name] !== undefined) return [given[name], name]
  const nested = given[type]
  if (isRecord(nested) && Object.hasOwn(nested, key)) return [nested[key], name]
  const named = given['@type']
  const isPlain = named === undefined ? plain : named === type
  return isPlain && given[key] !== undefined ? [given[key], key] : [undefined, name]
}

/** `type.name` in its two parts; the type is undefined for other names. */
export function splitName(name: string): { type: string | undefined; key: string } {
  const dot = name.indexOf('.')
  return dot < 0
    ? { type: undefined, key: name }
    : { type: name.slice(0, dot), key: name.slice(dot + 1) }
}

export function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
