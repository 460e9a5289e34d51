import type { OpenSearch } from './search.ts'

/** Signs that stand for bits of bytes, with one byte in two of them. */
interface Alphabet {
  /** What each byte of the stream stands for: bits, `passed` over, or `broken`. */
  values: Int16Array
  /** Bits of each sign. */
  bits: number
  /** Signs after which bytes begin at a sign again. */
  signs: number
}

const passed = -2
const broken = -1

/** A line break, and what indents the next line. */
const longestGap = 20

const blanks = ' \t\r\n'

/** Both of its kinds; `base64` wraps its lines at 76 signs, `openssl` at 64. */
const base64: Alphabet = {
  bits: 6,
  signs: 4,
  values: valuesOf(blanks, [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ]),
}

/** In digits of either case, as of `xxd -p`, and in bytes with blanks or colons between, as of `od -An -tx1`. */
const hex: Alphabet = {
  bits: 4,
  signs: 2,
  values: valuesOf(`${blanks}:`, ['0123456789abcdef', '0123456789ABCDEF']),
}

function valuesOf(without: string, kinds: readonly string[]): Int16Array {
  const values = new Int16Array(256).fill(broken)
  for (const signs of kinds) {
    for (const [value, sign] of Buffer.from(signs).entries()) values[sign] = value
  }
  for (const sign of Buffer.from(without)) values[sign] = passed
  return values
}

/** What was read of bytes that begin at every fourth (or second) sign from a certain one on. */
interface Track {
  state: number
  /** Where the last of them begin. */
  starts: number[]
}

function bitsSearch({ values, bits, signs }: Alphabet): OpenSearch {
  return (needles, found) => {
    const tracks: Track[] = Array.from({ length: signs }, () => ({ state: 0, starts: [] }))
    /** Signs since the last break. */
    let count = 0
    let skipped = 0
    let last = 0
    let recent = 0

    function stop(): void {
      if (count === 0) return
      count = 0
      for (const track of tracks) forget(track)
    }

    function emit(track: Track, byte: number, from: number, to: number): void {
      if (track.state === 0 && needles.first[byte] === 0) return
      track.state = needles.step(track.state, byte)
      if (track.state === 0) return forget(track)
      track.starts.push(from)
      const length = needles.found(track.state)
      if (length > 0) found(track.starts[track.starts.length - length] ?? from, to)
      if (track.starts.length > 2 * needles.longest + 1000) {
        track.starts = track.starts.slice(-needles.longest)
      }
    }

    /** A byte ends with this sign on each track but the one on which a new byte begins. */
    function takeSign(sign: number, at: number): void {
      skipped = 0
      recent = ((recent << bits) | sign) & 0xff_ff
      if (count > 0) {
        for (let order = 1; order < signs; order += 1) {
          const track = tracks[(count - order) & (signs - 1)]
          const rest = 2 * bits - 8 - (order - 1) * (8 - bits)
          if (track && order <= count) emit(track, (recent >> rest) & 0xff, last, at + 1)
        }
      }
      count += 1
      last = at
    }

    /** Whether what the last sign leaves over may be the beginning of a secret. */
    function isBegun(): boolean {
      if (count === 0) return false
      for (let left = bits; left > 0; left -= 8 - bits) {
        if (needles.begins(left, recent & ((1 << left) - 1))) return true
      }
      return false
    }

    return {
      take(bytes, from) {
        for (let index = 0; index < bytes.length; index += 1) {
          const sign = values[bytes[index] ?? 0] ?? broken
          if (sign >= 0) takeSign(sign, from + index)
          else if (sign === passed && skipped < longestGap) skipped += 1
          else stop()
        }
      },

      settled(end) {
        // Else the end of many lines would wait for the next one, though it seldom begins a secret.
        const least = skipped > 0 ? 2 : 1
        const begun = tracks.map(({ state, starts }) => {
          const open = needles.open(state)
          return open >= least ? (starts[starts.length - open] ?? end) : end
        })
        return Math.min(end, ...begun, skipped === 0 && isBegun() ? last : end)
      },
    }
  }
}

function forget(track: Track): void {
  track.state = 0
  if (track.starts.length > 0) track.starts = []
}

export const base64Search = bitsSearch(base64)
export const hexSearch = bitsSearch(hex)
