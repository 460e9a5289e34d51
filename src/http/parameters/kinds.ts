import { leadingInteger } from '../core/leading-integer.ts'
import { listIn } from '../core/list-in.ts'
import { idIn } from '../core/path-id.ts'
import { parameter } from './parameter.ts'

/** Strings without U+0000, which neither a row nor a program's environment can contain. */
export const storable = String.raw`^[^\u0000]*$`

/** A text; anything else counts as not given. */
export const text = (description?: string) =>
  parameter<string | undefined>({
    schema: { type: 'string', ...(description === undefined ? {} : { description }) },
    parse: (given) => (typeof given === 'string' ? given : undefined),
  })

/** A string that determines what is changed: other values are refused, rather than treated as not given. */
export const oneText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', description: 'one text' },
    parse: (given) => given,
  })

/** A string that determines what is changed and is stored; other values are refused. */
export const oneStoredText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: storable, description: 'one text without U+0000' },
    parse: (given) => given,
  })

/** A string to filter by; empty counts as not given. Several are refused: they would find too much. */
export const filterText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', description: 'one text' },
    parse: (given) => (given === '' ? undefined : given),
  })

/** False if not given, and for `false`, `0`, null and the empty string; true for everything else. */
export const flag = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given = false) => !['', '0', 'false', 0, false, null].some((no) => no === given),
  })

/** True if given, even without a value, except for `false` and `0`. */
export const mark = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given) => given !== undefined && given !== 'false' && given !== '0',
  })

/** A list: separated by commas, as `name[]`, with repeated names, or a JSON array. */
export const list = () =>
  parameter<readonly string[] | undefined>({
    schema: { type: 'array', items: { type: 'string' } },
    parse: (given) => (given === undefined ? undefined : listIn(given)),
  })

/**
 * A list of alternatives, one of which has to match; empty if none were given, so that everything matches.
 */
export const anyOf = () =>
  parameter<readonly string[]>({
    schema: { type: 'array', items: { type: 'string' } },
    parse: listIn,
  })

/** A list of known words; unknown words match nothing and are left out. Undefined if no words were given. */
export const words = <const T extends string>(known: readonly T[]) =>
  parameter<readonly T[] | undefined>({
    schema: { type: 'array', items: { type: 'string', enum: known } },
    parse(given) {
      const texts = listIn(given)
      return texts.length === 0 ? undefined : known.filter((word) => texts.includes(word))
    },
  })

/** A list of ids; other values match nothing and are left out. */
export const idList = () =>
  parameter<readonly number[] | undefined>({
    schema: { type: 'array', items: { type: 'integer' } },
    parse: (given) =>
      given === undefined ? undefined : listIn(given).flatMap((each) => idIn(each) ?? []),
  })

/** An id, as a number or a string; other values count as not given. */
export const id = () =>
  parameter<number | undefined>({
    schema: { type: 'integer' },
    parse: (given) =>
      typeof given === 'string' || typeof given === 'number' ? idIn(String(given)) : undefined,
  })

/** An id to filter by; anything else is an error. */
export const filterId = () =>
  parameter<number | undefined>({
    schema: { type: 'integer', description: 'an id' },
    parse(given) {
      const [text] = listIn(given)
      return text === undefined ? undefined : (idIn(text) ?? null)
    },
  })

/** True only for `true`, as in `hook.active`. */
export const truth = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given) => given === true || given === 'true',
  })

/**
 * A flag to filter by: undefined if both values were given; the default `usual`, or else undefined, if
 * nothing or an empty string was given.
 */
export const filterFlag = (usual?: boolean) =>
  parameter<boolean | undefined>({
    schema: { type: 'boolean', ...(usual === undefined ? {} : { default: usual }) },
    parse(given) {
      const texts = typeof given === 'boolean' ? [String(given)] : listIn(given)
      if (texts.length === 0) return usual
      const flags = new Set(texts.map((each) => each !== 'false' && each !== '0'))
      return flags.size === 1 ? flags.has(true) : undefined
    },
  })

const timePattern = String.raw`^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$`

/** Whether a string in the form of a time is valid: JavaScript accepts 30 February as 2 March. */
function isTime(text: string): boolean {
  const day = text.slice(0, '2026-01-02'.length)
  if (Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false
  return new Date(day).toISOString().startsWith(day)
}

/** A time, or a day, which means its beginning; anything else is an error. */
export const time = () =>
  parameter<Date | undefined>({
    schema: {
      type: 'string',
      pattern: timePattern,
      description: 'a time like 2026-01-02T12:00:00Z',
    },
    parse: (given) => (typeof given === 'string' && !isTime(given) ? null : given),
    value: (accepted: string | undefined) =>
      accepted === undefined ? undefined : new Date(accepted),
  })

/** V2.1's integers: the leading integer of the value; garbage counts as 0. */
export const integerPrefix = (most?: number) =>
  parameter<number | undefined>({
    schema: { type: 'integer' },
    parse: (given) => (given === undefined ? undefined : leadingInteger(given, most)),
  })

/** The page size of V2.1: the usual number if none was given, or none above 0. */
export const pageLimit = (usual: number, most: number) =>
  parameter<number>({
    schema: { type: 'integer', default: usual, maximum: most },
    parse(given) {
      const limit = given === undefined ? 0 : leadingInteger(given, most)
      return limit > 0 ? limit : usual
    },
  })

/** A list of V2.1's integers. */
export const integerPrefixes = (most?: number) =>
  parameter<readonly number[] | undefined>({
    schema: { type: 'array', items: { type: 'integer' } },
    parse: (given) =>
      given === undefined ? undefined : listIn(given).map((each) => leadingInteger(each, most)),
  })

/** V3's integers; anything else is an error. */
export const integer = () =>
  parameter<number | undefined>({
    schema: { type: 'integer', description: 'an integer' },
    parse: (given) =>
      typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : (given ?? undefined),
    // Limited to safe integers, which no number in the database exceeds.
    value: (number: number | undefined) =>
      number === undefined
        ? undefined
        : Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER)),
  })
