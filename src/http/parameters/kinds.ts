import { idIn } from '../find-record.ts'
import { leadingInteger } from '../leading-integer.ts'
import { listIn } from '../list-in.ts'
import { parameter } from './parameter.ts'

/** Neither a row nor the environment of a program can hold U+0000. */
export const storable = String.raw`^[^\u0000]*$`

/** A text; anything else counts as not given. */
export const text = (description?: string) =>
  parameter<string | undefined>({
    schema: { type: 'string', ...(description === undefined ? {} : { description }) },
    parse: (given) => (typeof given === 'string' ? given : undefined),
  })

/** A text that decides what is changed: anything else is refused, rather than taken as not given. */
export const oneText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', description: 'one text' },
    parse: (given) => given,
  })

/** The same for a text that is stored. */
export const oneStoredText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: storable, description: 'one text without U+0000' },
    parse: (given) => given,
  })

/** A text that is filtered by; an empty one counts as not given. Several would find more than was asked for. */
export const filterText = () =>
  parameter<string | undefined>({
    schema: { type: 'string', description: 'one text' },
    parse: (given) => (given === '' ? undefined : given),
  })

/** False without it, and for `false`, `0` and the empty text; true for everything else. */
export const flag = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given = false) => !['', '0', 'false', 0, false, null].some((no) => no === given),
  })

/** True where it is given, also without a value, but for `false` and `0`. */
export const mark = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given) => given !== undefined && given !== 'false' && given !== '0',
  })

/** A list: separated by commas, as `name[]`, with repeated names, or of JSON. */
export const list = () =>
  parameter<readonly string[] | undefined>({
    schema: { type: 'array', items: { type: 'string' } },
    parse: (given) => (given === undefined ? undefined : listIn(given)),
  })

/** A list of which one has to match; empty where nothing was given, and everything matches. */
export const anyOf = () =>
  parameter<readonly string[]>({
    schema: { type: 'array', items: { type: 'string' } },
    parse: listIn,
  })

/** A list of words: others match nothing, and are left out. Undefined if none at all were given. */
export const words = <const T extends string>(known: readonly T[]) =>
  parameter<readonly T[] | undefined>({
    schema: { type: 'array', items: { type: 'string', enum: known } },
    parse(given) {
      const texts = listIn(given)
      return texts.length === 0 ? undefined : known.filter((word) => texts.includes(word))
    },
  })

/** The ids in a list; what is no id matches nothing, and is left out. */
export const idList = () =>
  parameter<readonly number[] | undefined>({
    schema: { type: 'array', items: { type: 'integer' } },
    parse: (given) =>
      given === undefined ? undefined : listIn(given).flatMap((each) => idIn(each) ?? []),
  })

/** An id, as a number or a text; what is none counts as not given. */
export const id = () =>
  parameter<number | undefined>({
    schema: { type: 'integer' },
    parse: (given) =>
      typeof given === 'string' || typeof given === 'number' ? idIn(String(given)) : undefined,
  })

/** An id that is filtered by; anything else is an error. */
export const filterId = () =>
  parameter<number | undefined>({
    schema: { type: 'integer', description: 'an id' },
    parse(given) {
      const [text] = listIn(given)
      return text === undefined ? undefined : (idIn(text) ?? null)
    },
  })

/** True for `true` alone, as `hook.active` has it. */
export const truth = () =>
  parameter<boolean>({
    schema: { type: 'boolean', default: false },
    parse: (given) => given === true || given === 'true',
  })

/**
 * A flag that is filtered by: undefined if both values were given, or nothing or an empty text, unless
 * something else is usual.
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

/** Whether what looks like a time is one: the language takes 30 February for 2 March. */
function isTime(text: string): boolean {
  const day = text.slice(0, '2026-01-02'.length)
  if (Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false
  return new Date(day).toISOString().startsWith(day)
}

/** A time, or a day as the time it begins; anything else is an error. */
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

/** V2.1's integers: the one that a text begins with; garbage counts as 0. */
export const integerPrefix = (most?: number) =>
  parameter<number | undefined>({
    schema: { type: 'integer' },
    parse: (given) => (given === undefined ? undefined : leadingInteger(given, most)),
  })

/** The number of entries of a page of V2.1: as many as usual where none, or nothing above 0, was given. */
export const pageLimit = (usual: number, most: number) =>
  parameter<number>({
    schema: { type: 'integer', default: usual, maximum: most },
    parse(given) {
      const limit = given === undefined ? 0 : leadingInteger(given, most)
      return limit > 0 ? limit : usual
    },
  })

/** A list of such integers. */
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
    // The database has no numbers beyond.
    value: (number: number | undefined) =>
      number === undefined
        ? undefined
        : Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER)),
  })
