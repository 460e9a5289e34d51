import type { Needles } from './needles.ts'

/** A notation for bytes that starts with a certain byte. */
export interface Escape {
  lead: string
  /** Matches an incomplete escape. */
  begun: RegExp
  whole: RegExp
  /** The bytes that an escape represents; none if it is skipped. */
  bytes(found: readonly (string | undefined)[]): readonly number[]
  /** All characters that an escape can represent, if they are few. */
  signs?: string
  /** Whether a plus also represents a space. */
  plus?: true
}

/** The most recent bytes of the stream, and the states of the search. */
export interface Past {
  /** The byte at this position of the stream; undefined if the position is too far back. */
  byteAt(at: number): number | undefined
  /** The state of the search before that byte. */
  stateBefore(at: number): number
}

export interface EscapeReader {
  /** First bytes of its escapes. */
  leads: readonly number[]
  isOpen(): boolean
  /** Begins in this state of the search, before the byte number `at`. */
  enter(state: number, at: number, past: Past): void
  /** Takes the next byte; the reader closes when no escape lies in a possible beginning of a secret. */
  next(byte: number, at: number): void
  settled(end: number): number
}

/** Most bytes that may be skipped in a row. */
const longestGap = 60

const plus = 0x2b
const blank = 0x20

export function createEscapeReader(
  escape: Escape,
  needles: Needles,
  found: (from: number, to: number) => void,
): EscapeReader {
  const lead = escape.lead.charCodeAt(0)
  const beginsSecret = Buffer.from(escape.signs ?? '').some((sign) => needles.first[sign] !== 0)
  let open = false
  let state = 0
  let entered = 0
  /** Where each byte read since `enter` begins; for earlier bytes, positions are those of the stream. */
  let starts: number[] = []
  let begun = ''
  let passed = 0
  /** Bytes since the last escape. */
  let literals = 0

  function startOf(length: number): number {
    return starts[starts.length - length] ?? entered - (length - starts.length)
  }

  function emit(byte: number, from: number, to: number): void {
    state = needles.step(state, byte)
    starts.push(from)
    if (state === 0) return
    const length = needles.found(state)
    if (length > 0) found(startOf(length), to)
    if (starts.length > 2 * needles.longest + 1000) starts = starts.slice(-needles.longest)
  }

  function escaped(match: RegExpExecArray, from: number): void {
    const { length } = match[0]
    const bytes = escape.bytes(match)
    for (const byte of bytes) emit(byte, from, from + length)
    passed = bytes.length > 0 ? 0 : passed + length
    if (passed > longestGap) state = 0
    literals = 0
    begun = begun.slice(length)
  }

  /** Reads the bytes kept in `begun` as far as they are unambiguous; they end at `end`. */
  function settle(end: number): void {
    while (begun !== '') {
      const isLead = begun.charCodeAt(0) === lead
      if (isLead && escape.begun.test(begun)) return
      const match = isLead ? escape.whole.exec(begun) : null
      if (match) escaped(match, end - begun.length)
      else {
        passed = 0
        literal(begun.charCodeAt(0), end - begun.length)
        begun = begun.slice(1)
      }
    }
  }

  function literal(byte: number, at: number): void {
    const isBlank = byte === plus && escape.plus
    emit(isBlank ? blank : byte, at, at + 1)
    literals = isBlank ? 0 : literals + 1
  }

  return {
    leads: escape.plus ? [lead, plus] : [lead],
    isOpen: () => open,

    enter(from, at) {
      open = true
      state = from
      entered = at
      starts = []
      passed = 0
      literals = needles.longest
    },

    next(byte, at) {
      if (begun === '' && byte !== lead) {
        passed = 0
        literal(byte, at)
      } else {
        begun += String.fromCharCode(byte)
        settle(at + 1)
      }
      open = begun !== '' || needles.depth(state) > literals
    },

    settled(end) {
      if (!open) return end
      const alone = needles.open(state)
      if (alone > 0) return startOf(alone)
      const isPending = begun !== '' && (escape.signs === undefined || beginsSecret)
      return isPending ? end - begun.length : end
    },
  }
}
