import { leadingInteger } from '../leading-integer.ts'
import { listIn } from '../list-in.ts'
import { parameter } from './parameter.ts'

/** A text; anything else counts as not given. */
export const text = () =>
  parameter<string | undefined>({
    schema: { type: 'string' },
    parse: (given) => (typeof given === 'string' ? given : undefined),
  })

/** False without it, and for `false`, `0` and the empty text; true for everything else. */
export const flag = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given = false) => !['', '0', 'false', 0, false, null].some((no) => no === given),
  })

/** A list: separated by commas, as `name[]`, with repeated names, or of JSON. */
export const list = () =>
  parameter<readonly string[] | undefined>({
    schema: { type: 'array', items: { type: 'string' } },
    parse: (given) => (given === undefined ? undefined : listIn(given)),
  })

/** V2.1's integers: the one that a text begins with; garbage counts as 0. */
export const integerPrefix = (most?: number) =>
  parameter<number | undefined>({
    schema: { type: 'integer' },
    parse: (given) => (given === undefined ? undefined : leadingInteger(given, most)),
  })

/** V3's integers; anything else is an error. */
export const integer = () =>
  parameter<number | undefined>({
    schema: { type: 'integer', description: 'an integer' },
    parse: (given) =>
      typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : (given ?? undefined),
    // The database has no numbers beyond.
    value: (number: number | undefined) =>
      number === undefined
        ? undefined
        : Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER)),
  })
