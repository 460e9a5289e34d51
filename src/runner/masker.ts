import { type Alphabet, base64, hex, plain, skipped } from './alphabets.ts'
import { arrangeNeedles, type Needles } from './needles.ts'

/** What is covered: texts as they are, and in base64 and hex whatever their lines are broken into. */
export interface MaskForms {
  plain: readonly string[]
  /** With `+` and `/`, and without `=`. */
  base64: readonly string[]
  /** In small letters. */
  hex: readonly string[]
}

export interface Masker {
  /** Takes the next bytes and gives those that are settled, with a cover for each secret. */
  push(chunk: Uint8Array): Buffer
  /** Gives what was kept back, and begins anew. */
  end(): Buffer
  /** Forgets what was kept back, and begins anew. */
  drop(): void
}

/** A stretch of `held` that secrets cover; `shown` once its cover is out. */
interface Covered {
  from: number
  to: number
  shown: boolean
}

/** One search through the stream. */
interface Search {
  alphabet: Alphabet
  needles: Needles
  state: number
  /** Bytes that were skipped last. */
  gap: number
}

/**
 * Covers secrets in a stream of bytes, however it is cut. Secrets that overlap share one cover.
 * Keeps back what may be the beginning of a secret, always less than the longest of them; there is
 * no timer that lets go of it, since that would print the first half of a secret.
 */
export function createMasker(forms: Partial<MaskForms>, cover = '[secure]'): Masker {
  const searches = [
    ...searchFor(plain, forms.plain),
    ...searchFor(base64, forms.base64),
    ...searchFor(hex, forms.hex),
  ]
  const mask = Buffer.from(cover)

  let held = Buffer.alloc(0)
  let covered: Covered[] = []

  /** Gives out `held` up to `end`, and keeps the rest. */
  function release(end: number): Buffer {
    const pieces: Buffer[] = []
    let at = 0
    for (const stretch of covered) {
      if (stretch.from >= end) break
      pieces.push(held.subarray(at, Math.max(at, stretch.from)))
      if (!stretch.shown) pieces.push(mask)
      stretch.shown = true
      at = Math.min(stretch.to, end)
    }
    pieces.push(held.subarray(at, end))
    held = held.subarray(end)
    covered = covered
      .filter(({ to }) => to > end)
      .map(({ from, to, shown }) => ({ from: Math.max(0, from - end), to: to - end, shown }))
    return Buffer.concat(pieces)
  }

  function drop(): void {
    for (const search of searches) Object.assign(search, begun)
    held = Buffer.alloc(0)
    covered = []
  }

  return {
    push(chunk) {
      if (searches.length === 0) return Buffer.from(chunk)
      let at = held.length
      held = Buffer.concat([held, chunk])
      for (const byte of chunk) {
        at += 1
        for (const search of searches) {
          const length = step(search, byte)
          if (length > 0) coverUp(covered, startOf(held, at, length, search.alphabet), at)
        }
      }
      return release(Math.min(...searches.map((search) => settled(held, search))))
    },

    end() {
      const rest = release(held.length)
      drop()
      return rest
    },

    drop,
  }
}

const begun = { state: 0, gap: 0 }

function searchFor(alphabet: Alphabet, texts: readonly string[] = []): Search[] {
  const needles = [...new Set(texts)].filter((text) => text !== '').map((text) => Buffer.from(text))
  return needles.length > 0 ? [{ alphabet, needles: arrangeNeedles(needles), ...begun }] : []
}

/** Takes one more byte, and returns the length of the longest needle that ends with it, or 0. */
function step(search: Search, byte: number): number {
  const as = search.alphabet.as[byte] ?? byte
  if (as === skipped) {
    search.gap += 1
    if (search.gap > search.alphabet.gap) search.state = 0
    return 0
  }
  search.gap = 0
  search.state = search.needles.step(search.state, as)
  return search.needles.found(search.state)
}

/** The end of what can be given out, as far as this search knows. */
function settled(held: Buffer, { alphabet, needles, state, gap }: Search): number {
  const open = needles.open(state)
  if (gap > 0 && open < alphabet.kept) return held.length
  return startOf(held, held.length, open, alphabet)
}

/** Where the last so many bytes begin that count; at 0 where some of them are out already. */
function startOf(held: Buffer, end: number, length: number, { as, gap }: Alphabet): number {
  if (gap === 0) return end - length
  let at = end
  for (let left = length; left > 0 && at > 0; at--) {
    if (as[held[at - 1] ?? 0] !== skipped) left -= 1
  }
  return at
}

/** Adds a stretch that ends where the text ends so far, and joins it with those it overlaps. */
function coverUp(covered: Covered[], begin: number, to: number): void {
  let from = begin
  let shown = false
  for (let last = covered.at(-1); last && last.to > from; last = covered.at(-1)) {
    from = Math.min(from, last.from)
    shown ||= last.shown
    covered.pop()
  }
  covered.push({ from, to, shown })
}
