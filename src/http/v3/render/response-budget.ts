import { tooCostly } from '../../../domain/errors.ts'

/** Room left in the document of one call. */
interface Room {
  records: number
  /** Characters of texts, including those within configurations. */
  characters: number
}

/** More than a program needs in one response. Limited because each kilobyte is in memory several times. */
const whole: Room = { records: 50_000, characters: 16_000_000 }

const rooms = new WeakMap<object, Room>()

/** The room left for a call, which the callers reduce. */
function roomOf(call: object): Room {
  const room = rooms.get(call) ?? { ...whole }
  rooms.set(call, room)
  return room
}

/**
 * The number of records that a call can still show. Readers read at most one more, and then call
 * `expectRoom`.
 */
export const recordsLeft = (call: object): number => roomOf(call).records

/** The number of characters of texts that a call can still show. */
export const charactersLeft = (call: object): number => roomOf(call).characters

/** Throws if a call cannot show this many more records. */
export function expectRoom(call: object, records: number): void {
  if (records > recordsLeft(call)) throw tooManyRecords()
}

/** Takes room for records, before they are rendered. Throws if there is too little. */
export function takeRecords(call: object, records: number): void {
  const room = roomOf(call)
  room.records -= records
  if (room.records < 0) throw tooManyRecords()
}

/** Takes room for this many characters of texts. Throws if there is too little. */
export function takeCharacters(call: object, characters: number): void {
  const room = roomOf(call)
  room.characters -= characters
  if (room.characters < 0) throw tooLong()
}

const tooManyRecords = () =>
  tooCostly(
    `more than ${whole.records} records cannot be shown at once: include less, or lower the limit`,
  )

/** Error for readers of texts that have found more than there is room for. */
export const tooLong = () =>
  tooCostly(
    `more than ${whole.characters} characters of texts cannot be shown at once: include less, or lower ` +
      'the limit',
  )
