import type { OpenSearch } from './search.ts'

/** An encoding whose characters represent a few bits each, so that each byte lies in two of them. */
interface Alphabet {
  /** Value of each byte of the stream: bits, `passed` (skipped) or `broken` (ends the encoded text). */
  values: Int16Array
  /** Bits per character. */
  bits: number
  /** Number of characters after which bytes start at a character boundary again. */
  signs: number
}

const passed = -2
const broken = -1

/** Longest run of line breaks and indentation that is skipped. */
const longestGap = 20

const blanks = ' \t\r\n'

/** Both variants of base64; `base64` wraps its lines at 76 characters, `openssl` at 64. */
const base64: Alphabet = {
  bits: 6,
  signs: 4,
  values: valuesOf(blanks, [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ]),
}

/** Digits of either case, as from `xxd -p`, and bytes separated by blanks or colons (`od -An -tx1`). */
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

/** Decoded bytes that begin at every fourth (or second) character from a certain one on. */
interface Track {
  state: number
  /** Stream positions at which the most recently decoded bytes begin. */
  starts: number[]
  /** Number of consecutive zeros. */
  zeros: number
}

/** In UTF-16 and UTF-32, zeros accompany each character of a secret. */
const mostZeros = 3

function bitsSearch({ values, bits, signs }: Alphabet): OpenSearch {
  return (needles, found) => {
    const tracks: Track[] = Array.from({ length: signs }, () => ({
      state: 0,
      starts: [],
      zeros: 0,
    }))
    /** Characters since the last break. */
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
      track.zeros = byte === 0 ? track.zeros + 1 : 0
      if (track.zeros > mostZeros) return forget(track)
      if (byte === 0) return
      track.state = needles.step(track.state, byte)
      if (track.state === 0) return forget(track)
      track.starts.push(from)
      const length = needles.found(track.state)
      if (length > 0) found(track.starts[track.starts.length - length] ?? from, to)
      if (track.starts.length > 2 * needles.longest + 1000) {
        track.starts = track.starts.slice(-needles.longest)
      }
    }

    /** This character completes a byte on every track except the track on which a new byte begins. */
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

    /** Whether a secret can begin with the bits left over from the last character. */
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
        // Two characters are needed after a gap: with one, the end of many lines would wait for the next
        // line, though it seldom begins a secret.
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
