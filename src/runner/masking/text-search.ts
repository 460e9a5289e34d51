import { type Escape, type EscapeReader, type Past, createEscapeReader } from './escape-reader.ts'
import type { OpenSearch } from './search.ts'
import { createUnseenReader } from './unseen-reader.ts'

/** Roughly the most characters erased at once. */
const remembered = 64
const last = remembered - 1

/**
 * Searches for needles in plain form, and with some of their bytes escaped. Without an escape, all
 * readers see the same bytes: a reader of escapes starts at a possible escape, with the search's current
 * state, and ends once the search itself sees every possible beginning of a secret again.
 */
export function textSearch(escapes: readonly Escape[]): OpenSearch {
  return (needles, found) => {
    const readers = [
      createUnseenReader(false, needles, found),
      createUnseenReader(true, needles, found),
      ...escapes.map((escape) => createEscapeReader(escape, needles, found)),
    ]
    const leads = leadsOf(readers)
    let state = 0
    let active = 0
    /** The last bytes, and the state before each. */
    const lastBytes = new Uint8Array(remembered)
    const lastStates = new Int32Array(remembered)
    let now = 0
    const past: Past = {
      byteAt: (at) => (at >= 0 && at >= now - remembered ? lastBytes[at & last] : undefined),
      stateBefore: (at) => lastStates[at & last] ?? 0,
    }

    function enter(byte: number, at: number): void {
      for (const reader of readers) {
        if (reader.isOpen() || !reader.leads.includes(byte)) continue
        reader.enter(state, at, past)
        if (reader.isOpen()) active += 1
      }
    }

    function read(byte: number, at: number): void {
      for (const reader of readers) {
        if (!reader.isOpen()) continue
        reader.next(byte, at)
        if (!reader.isOpen()) active -= 1
      }
    }

    function step(byte: number, at: number): void {
      state = needles.step(state, byte)
      const length = needles.found(state)
      if (length > 0) found(at + 1 - length, at + 1)
    }

    return {
      take(bytes, from) {
        for (let index = 0; index < bytes.length; index += 1) {
          const byte = bytes[index] ?? 0
          now = from + index
          lastBytes[now & last] = byte
          lastStates[now & last] = state
          if (leads[byte] === 1) enter(byte, from + index)
          if (state !== 0 || needles.first[byte] !== 0) step(byte, from + index)
          if (active > 0) read(byte, from + index)
        }
      },

      settled: (end) =>
        Math.min(end - needles.open(state), ...readers.map((reader) => reader.settled(end))),
    }
  }
}

function leadsOf(readers: readonly EscapeReader[]): Uint8Array {
  const leads = new Uint8Array(256)
  for (const lead of readers.flatMap((reader) => reader.leads)) leads[lead] = 1
  return leads
}
