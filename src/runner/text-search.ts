import { type Escape, type EscapeReader, createEscapeReader } from './escape-reader.ts'
import type { OpenSearch } from './search.ts'

/**
 * Looks for needles as they are, and with some of their bytes escaped. As long as there is no escape, all
 * ways of reading see the same: a reader of escapes begins where one of its own may stand, with what was
 * found so far, and ends where the search sees all again that may begin a secret.
 */
export function textSearch(escapes: readonly Escape[]): OpenSearch {
  return (needles, found) => {
    const readers = escapes.map((escape) => createEscapeReader(escape, needles, found))
    const leads = leadsOf(readers)
    let state = 0
    let active = 0

    function enter(byte: number, at: number): void {
      for (const reader of readers) {
        if (reader.isOpen() || !reader.leads.includes(byte)) continue
        reader.enter(state, at)
        active += 1
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
