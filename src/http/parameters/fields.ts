import { validationFailed } from '../../domain/errors.ts'
import { parameter, splitName } from './parameter.ts'

/** The error for a field that cannot be stored, with one of V2.1's codes. */
const invalid = (code: string) => (name: string) =>
  validationFailed([{ field: splitName(name).key, code }])

/** A boolean as forms and settings write it; undefined if it was not sent. */
export const settingFlag = () =>
  parameter<boolean | undefined>({
    schema: { type: 'boolean' },
    parse(given) {
      const word = String(given).toLowerCase()
      if (['1', 'on', 't', 'true', 'y', 'yes'].includes(word)) return true
      if (['0', 'off', 'f', 'false', 'n', 'no'].includes(word)) return false
      return given
    },
    refuse: invalid('invalid'),
  })

/** An integer of a setting; null where it was sent to unset it, undefined if it was not sent. */
export const settingInteger = () =>
  parameter<number | null | undefined>({
    schema: { type: ['integer', 'null'], maximum: 2 ** 31 - 1, minimum: -(2 ** 31) },
    parse: (given) =>
      typeof given === 'string' && /^[+-]?\d+$/.test(given) ? Number(given) : given,
    refuse: invalid('not_a_number'),
  })

/** A text of which something must be left without blanks; undefined if it was not sent. */
export const filledText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: String.raw`\S` },
    parse: (given) => (typeof given === 'number' ? String(given) : given),
    refuse: invalid('missing_field'),
  })

/** The same, and it must be sent. */
export const requiredText = () =>
  parameter<string>({
    schema: { type: 'string', pattern: String.raw`\S` },
    parse: (given) => (typeof given === 'number' ? String(given) : (given ?? null)),
    refuse: invalid('missing_field'),
  })

/** A language as people's settings name it, such as `en` or `pt-BR`; undefined if it was not sent. */
export const language = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*$', maxLength: 40 },
    parse: (given) => given,
    refuse: invalid('invalid'),
  })
