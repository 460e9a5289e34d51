import { tooCostly } from '../../domain/errors.ts'

/** What the document of one call can still hold. */
interface Room {
  records: number
  /** Of texts, also within configurations. */
  characters: number
}

/** More than any program reads at once: each kilobyte of it is in memory several times. */
const whole: Room = { records: 50_000, characters: 16_000_000 }

const rooms = new WeakMap<object, Room>()

/** What is left for a call, to be taken from. */
function roomOf(call: object): Room {
  const room = rooms.get(call) ?? { ...whole }
  rooms.set(call, room)
  return room
}

/** How many more records a call can show. What reads them reads one more at most, and then expects room. */
export const recordsLeft = (call: object): number => roomOf(call).records

/** How many more characters of texts a call can show. */
export const charactersLeft = (call: object): number => roomOf(call).characters

/** Throws if a call cannot show as many records. */
export function expectRoom(call: object, records: number): void {
  if (records > recordsLeft(call)) throw tooManyRecords()
}

/** Takes room for records, before anything is made of them. Throws if there is too little. */
export function takeRecords(call: object, records: number): void {
  const room = roomOf(call)
  room.records -= records
  if (room.records < 0) throw tooManyRecords()
}

/** Takes room for so many characters of texts. Throws if there is too little. */
export function takeCharacters(call: object, characters: number): void {
  const room = roomOf(call)
  room.characters -= characters
  if (room.characters < 0) throw tooLong()
}

const tooManyRecords = () =>
  tooCostly(
    `more than ${whole.records} records cannot be shown at once: include less, or lower the limit`,
  )

/** For what reads texts, and has found more than there is room for. */
export const tooLong = () =>
  tooCostly(
    `more than ${whole.characters} characters of texts cannot be shown at once: include less, or lower ` +
      'the limit',
  )
