import type { EscapeReader, Past } from './escape-reader.ts'
import type { Needles } from './needles.ts'

/** The parts of a terminal sequence, by the bytes that can follow. */
type Part = 'none' | 'escape' | 'control' | 'string' | 'high'

/** Longest run of unseen bytes; some terminals accept more text for the clipboard. */
const longestGap = 65_536

/** Bytes after a backspace that further backspaces may erase. */
const mostErased = 16

const escape = 0x1b
const backspace = 0x08
const newLine = 0x0a
const tab = 0x09
const bell = 0x07
const deleted = 0x7f
const terminator = 0x9c
const control = 0x9b
/** CAN and SUB, which end any sequence. */
const cancels: readonly number[] = [0x18, 0x1a]
/** First byte in UTF-8 of a control character of the upper half. */
const highLead = 0xc2
/** DCS, SOS, OSC, PM and APC, which introduce a string; after an escape, they are 0x40 lower. */
const strings: readonly number[] = [0x90, 0x98, 0x9d, 0x9e, 0x9f]

const isContinuation = (byte: number) => byte >= 0x80 && byte < 0xc0
const isHighControl = (byte: number) => byte >= 0x80 && byte < 0xa0

/** Control characters that terminals do not show. A secret in a line break is two. */
const isControl = (byte: number) =>
  (byte < 0x20 && byte !== newLine && byte !== tab) || byte === deleted

const controls = [...Array.from({ length: 0x20 }).keys(), deleted].filter(isControl)
const highControls = Array.from({ length: 0x20 }, (_, index) => 0x80 + index)

/**
 * Skips bytes that terminals do not show: escape sequences (CSI, OSC, DCS and others, in 7 and 8 bits)
 * and control characters. With `erasing`, a backspace also removes the character before it.
 */
export function createUnseenReader(
  erasing: boolean,
  needles: Needles,
  found: (from: number, to: number) => void,
): EscapeReader {
  let past: Past | undefined
  let open = false
  let state = 0
  let entered = 0
  /** Bytes read since `enter`, where each begins, and the state before it. */
  let bytes: number[] = []
  let starts: number[] = []
  let states: number[] = []
  let part: Part = 'none'
  let passed = 0
  /** Bytes since the last unseen one. */
  let literals = 0

  /** Whether the search sees different bytes, or the next erased character may have ended a secret. */
  const isNeeded = () => needles.depth(state) > literals || (erasing && literals < mostErased)

  function forget(): void {
    bytes = []
    starts = []
    states = []
  }

  function startOf(length: number): number {
    return starts[starts.length - length] ?? entered - (length - starts.length)
  }

  function literal(byte: number, at: number): void {
    bytes.push(byte)
    starts.push(at)
    states.push(state)
    state = needles.step(state, byte)
    literals += 1
    passed = 0
    const length = needles.found(state)
    if (length > 0) found(startOf(length), at + 1)
    if (starts.length > 2 * needles.longest + 1000) {
      bytes = bytes.slice(-needles.longest)
      starts = starts.slice(-needles.longest)
      states = states.slice(-needles.longest)
    }
  }

  function pass(next: Part = 'none'): void {
    part = next
    literals = 0
    passed += 1
    if (passed > longestGap) {
      state = 0
      part = 'none'
    }
  }

  /** Removes the last character, even from before `enter`, as far as bytes are remembered. */
  function erase(): void {
    let byte: number | undefined = 0x80
    while (byte !== undefined && isContinuation(byte)) {
      byte = bytes.pop()
      starts.pop()
      const before = states.pop()
      if (before === undefined) {
        entered -= 1
        byte = past?.byteAt(entered)
        state = byte === undefined ? 0 : (past?.stateBefore(entered) ?? 0)
      } else state = before
    }
  }

  function text(byte: number, at: number): void {
    if (byte === escape) pass('escape')
    else if (erasing && byte === backspace) {
      erase()
      pass()
    } else if (isControl(byte)) pass()
    else if (byte === highLead) pass('high')
    // A byte that continues a character of a secret is not a control character.
    else if (
      isHighControl(byte) &&
      needles.depth(needles.step(state, byte)) <= needles.depth(state)
    )
      high(byte)
    else literal(byte, at)
  }

  function high(byte: number): void {
    if (byte === control) pass('control')
    else pass(strings.includes(byte) ? 'string' : 'none')
  }

  /** Takes a byte within a sequence, or the one after it. */
  function sequence(byte: number, at: number): void {
    const is = part
    part = 'none'
    if (is === 'high') {
      if (isHighControl(byte)) return high(byte)
      literal(highLead, at - 1)
      return text(byte, at)
    }
    if (is === 'string') {
      const isOver = byte === bell || byte === terminator || cancels.includes(byte)
      return pass(isOver ? 'none' : byte === escape ? 'escape' : 'string')
    }
    // Terminals execute a control character within a sequence, then continue the sequence.
    if (isControl(byte) && byte !== escape && !cancels.includes(byte)) {
      return pass(is)
    }
    // Bytes that belong to the sequence; the last byte determines its function.
    if (byte >= 0x20 && byte < (is === 'control' ? 0x40 : 0x30)) return pass(is)
    if (byte >= 0x30 && byte < deleted) {
      if (is === 'escape' && byte === control - 0x40) return pass('control')
      return pass(is === 'escape' && strings.includes(byte + 0x40) ? 'string' : 'none')
    }
    // The byte interrupts the sequence.
    text(byte, at)
  }

  return {
    leads: erasing ? [backspace] : [...controls, highLead, ...highControls],
    isOpen: () => open,

    enter(from, at, before) {
      // Nothing incomplete precedes it that it could continue.
      if (from === 0 && !erasing) return
      open = true
      past = before
      state = from
      entered = at
      forget()
      part = 'none'
      passed = 0
      literals = needles.longest
    },

    next(byte, at) {
      if (part === 'none') text(byte, at)
      else sequence(byte, at)
      open = part === 'none' ? isNeeded() : state !== 0
    },

    settled(end) {
      const alone = open ? needles.open(state) : 0
      return alone > 0 ? startOf(alone) : end
    },
  }
}
