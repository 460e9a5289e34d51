import { validationFailed } from '../../domain/errors.ts'
import { isTimezone } from '../../domain/zoned-time.ts'
import { parameter, splitName } from './parameter.ts'

const refuse = (expected: string) => (name: string) => {
  const field = splitName(name).key
  return validationFailed([{ field, code: 'invalid', message: `${field} must be ${expected}` }])
}

const unlessEmpty = (given: unknown) => (given === null || given === '' ? undefined : given)

/** One of these words, which must be sent. */
export const oneOfWords = <const T extends string>(words: readonly T[]) =>
  parameter<T>({
    schema: { type: 'string', enum: words },
    required: true,
    parse: (given) => given ?? null,
    refuse: refuse(`one of ${words.join(', ')}`),
  })

/** A time of the day; undefined if it was not sent. */
export const clockTime = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$' },
    parse: unlessEmpty,
    refuse: refuse('a time of the day like 03:30'),
  })

/** A timezone by its name; undefined if it was not sent. */
export const timezone = () =>
  parameter<string | undefined>({
    schema: { type: 'string', maxLength: 64 },
    parse(given) {
      const name = unlessEmpty(given)
      return typeof name === 'string' && !isTimezone(name) ? null : name
    },
    refuse: refuse('a timezone like Europe/Berlin'),
  })
