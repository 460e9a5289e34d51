import { mostValueBytes, variableName } from '../../domain/env-var.ts'
import { validationFailed } from '../../domain/errors.ts'
import type { SettingRange } from '../../domain/settings.ts'
import { storable } from './kinds.ts'
import { parameter, type Parameter, splitName } from './parameter.ts'

/** The error for a field that cannot be stored, with one of V2.1's codes. */
const invalid = (code: string) => (name: string) =>
  validationFailed([{ field: splitName(name).key, code }])

/** A boolean in the notation of forms and settings; undefined if it was not sent. */
export const settingFlag = () =>
  parameter<boolean | undefined>({
    schema: { type: 'boolean' },
    parse(given) {
      if (typeof given === 'object' || given === undefined) return given
      const word = `${given as string | number | boolean}`.toLowerCase()
      if (['1', 'on', 't', 'true', 'y', 'yes'].includes(word)) return true
      if (['0', 'off', 'f', 'false', 'n', 'no'].includes(word)) return false
      return given
    },
    refuse: invalid('invalid'),
  })

/** A value whose type depends on the setting, so that it can be checked only with the record. */
export const anyValue = (): Parameter<unknown> => ({
  schema: { type: ['boolean', 'integer', 'string', 'null'] },
  read: (given) => given,
})

/** An integer setting; null if it was sent to unset it, undefined if it was not sent. */
export const settingInteger = () =>
  parameter<number | null | undefined>({
    schema: { type: ['integer', 'null'], maximum: 2 ** 31 - 1, minimum: -(2 ** 31) },
    parse: integerIn,
    refuse: invalid('not_a_number'),
  })

/** A count, 0 or more; undefined if it was not sent. */
export const settingCount = () =>
  parameter<number | undefined>({
    schema: { type: 'integer', maximum: 2 ** 31 - 1, minimum: 0 },
    parse: integerIn,
    refuse: invalid('not_a_number'),
  })

/** An integer setting with a range, and null only if the setting permits it. */
export function settingNumber(range: SettingRange): Parameter<number | null | undefined> {
  const { minimum, maximum, nullable = false, zeroIsNull = false } = range
  const integer = settingInteger()
  return {
    schema: {
      type: nullable ? ['integer', 'null'] : 'integer',
      minimum: zeroIsNull ? 0 : minimum,
      maximum,
    },
    read(given, name) {
      const read = integer.read(given, name)
      const value = zeroIsNull && read === 0 ? null : read
      if (value === undefined || (value === null && nullable)) return value
      if (value !== null && value >= minimum && value <= maximum) return value
      const orNull = nullable ? ', or null' : ''
      throw invalid(`must be an integer from ${minimum} to ${maximum}${orNull}`)(name)
    },
  }
}

function integerIn(given: unknown): unknown {
  return typeof given === 'string' && /^[+-]?\d+$/.test(given) ? Number(given) : given
}

/** A string without U+0000 that is not blank. */
const filled = { type: 'string', pattern: String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$` }

const refuseName = (name: string, given: unknown) => {
  const isText = typeof given === 'string' && /\S/.test(given)
  return invalid(isText || typeof given === 'number' ? 'invalid' : 'missing_field')(name)
}

/** A required string that is not blank. */
export const requiredText = () =>
  parameter<string>({
    schema: filled,
    required: true,
    parse: (given) => nameIn(given) ?? null,
    refuse: refuseName,
  })

const variableSchema = { type: 'string', pattern: variableName.source } as const

function refuseVariable(name: string, given: unknown): Error {
  if (typeof given !== 'string' || !/\S/.test(given)) return refuseName(name, given)
  const { key: field } = splitName(name)
  const message = `${field} must be one that shells accept: letters, digits and underscores, with no digit first`
  return validationFailed([{ field, code: 'invalid', message }])
}

/** The name of an environment variable in jobs; undefined if it was not sent. */
export const changedVariableName = () =>
  parameter<string | undefined>({
    schema: variableSchema,
    parse: (given) => given,
    refuse: refuseVariable,
  })

/** The required name of an environment variable in jobs. */
export const requiredVariableName = () =>
  parameter<string>({
    schema: variableSchema,
    required: true,
    parse: (given) => given ?? null,
    refuse: refuseVariable,
  })

/** The value of an environment variable; undefined if it was not sent. */
export function variableValue(): Parameter<string | undefined> {
  const { schema, read } = anyText()
  return {
    schema: { ...schema, maxLength: mostValueBytes },
    read(given, name) {
      const value = read(given, name)
      if (value === undefined || Buffer.byteLength(value) <= mostValueBytes) return value
      throw invalid(`must have at most ${mostValueBytes.toLocaleString('en-US')} bytes`)(name)
    },
  }
}

/** A language tag of a user's settings, such as `en` or `pt-BR`; undefined if it was not sent. */
export const language = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*$', maxLength: 40 },
    parse: (given) => given,
    refuse: invalid('invalid'),
  })

/** A string that can be empty; null counts as empty. Undefined if it was not sent. */
export const anyText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: storable },
    parse: (given) => (given === null ? '' : textIn(given)),
    refuse: invalid('invalid'),
  })

/** A string; null if it was sent empty to unset it, undefined if it was not sent. */
export const textOrNull = () =>
  parameter<string | null | undefined>({
    schema: { type: ['string', 'null'], pattern: storable },
    parse: (given) => (given === '' ? null : textIn(given)),
    refuse: invalid('invalid'),
  })

/** One of these words; null if it was sent to unset the value, undefined if it was not sent. */
export const wordOrNull = <const T extends string>(words: readonly T[]) =>
  parameter<T | null | undefined>({
    schema: { type: ['string', 'null'], enum: [...words, null] },
    parse: (given) => (given === '' ? null : given),
    refuse: invalid('invalid'),
  })

function textIn(given: unknown): unknown {
  return typeof given === 'boolean' ? String(given) : nameIn(given)
}

/** Accepts safe integers only. Other numbers lose their notation: `3.10` is 3.1, large ones lose digits. */
function nameIn(given: unknown): unknown {
  return Number.isSafeInteger(given) ? String(given) : given
}

/** The object that contains other parameters as members, like `env_var` of `env_var.name`. */
export const memberRecord = (refuse: (name: string) => Error = invalid('invalid')) =>
  parameter<object | undefined>({ schema: { type: 'object' }, parse: (given) => given, refuse })
