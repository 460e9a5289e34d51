import { arrangeNeedles } from './needles.ts'

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

/**
 * Covers secrets in a stream of bytes, however it is cut. Secrets that overlap share one cover.
 * Keeps back what may be the beginning of a secret, always less than the longest of them; there is
 * no timer that lets go of it, since that would print the first half of a secret.
 */
export function createMasker(secrets: readonly string[], cover = '[secure]'): Masker {
  const texts = [...new Set(secrets)].filter((secret) => secret !== '')
  const needles = arrangeNeedles(texts.map((text) => Buffer.from(text)))
  const mask = Buffer.from(cover)

  let state = 0
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
    state = 0
    held = Buffer.alloc(0)
    covered = []
  }

  return {
    push(chunk) {
      if (texts.length === 0) return Buffer.from(chunk)
      let at = held.length
      held = Buffer.concat([held, chunk])
      for (const byte of chunk) {
        state = needles.step(state, byte)
        at += 1
        const length = needles.found(state)
        if (length > 0) coverUp(covered, at - length, at)
      }
      return release(held.length - needles.open(state))
    },

    end() {
      const rest = release(held.length)
      drop()
      return rest
    },

    drop,
  }
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
