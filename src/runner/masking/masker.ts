import { type Stretch, unite } from '../../domain/text/token-shapes.ts'
import { base64Search, hexSearch } from './bits-search.ts'
import { usualEscapes } from './escapes.ts'
import { arrangeNeedles } from './needles.ts'
import type { OpenSearch, Search } from './search.ts'
import { textSearch } from './text-search.ts'

/** Covers secrets in a stream of bytes. */
export interface Masker {
  /** Takes the next bytes and returns the settled bytes, with a cover for each secret. */
  push(chunk: Uint8Array): Buffer
  /** Returns the bytes held back, and starts over. */
  end(): Buffer
  /** Discards the bytes held back, and starts over. */
  drop(): void
}

export interface GrowingMasker extends Masker {
  /** Also covers these texts, starting with the bytes that are still held back. */
  add(texts: readonly Uint8Array[]): void
  /** Merges all searches into one, after the last text was added. */
  unite(): void
}

/** A part of the stream to cover; `shown` once its cover has been output. */
interface Covered {
  from: number
  to: number
  shown: boolean
}

/** Texts with a common search. */
interface Group {
  texts: readonly Uint8Array[]
  bytes: number
  searches: Search[]
}

interface MaskerOptions {
  cover?: string
  searches?: readonly OpenSearch[]
}

/**
 * Covers texts in a stream of bytes, in any chunks and in any of the usual encodings. Overlapping texts
 * share one cover. Holds back possible beginnings of a secret, always less than the longest secret; no
 * timer releases them, because that would print the first half of a secret.
 */
export function createMasker(
  texts: readonly (string | Uint8Array)[],
  { cover = '[secure]', searches = allSearches }: MaskerOptions = {},
): GrowingMasker {
  const mask = Buffer.from(cover)
  let held = Buffer.alloc(0)
  /** Position of `held` in the stream. */
  let base = 0
  let covered: Covered[] = []
  let groups: Group[] = []
  add(texts.map((text) => Buffer.from(text)))

  function add(added: readonly Uint8Array[]): void {
    const filled = added.filter(({ length }) => length > 0)
    if (filled.length === 0) return
    let group = filled
    // Each group has more bytes than all later groups, so that no text is arranged often.
    for (let last = groups.at(-1); last && last.bytes <= bytesOf(group); last = groups.at(-1)) {
      group = [...last.texts, ...group]
      groups.pop()
    }
    begin(group)
  }

  function begin(group: readonly Uint8Array[]): void {
    const needles = arrangeNeedles(group)
    const opened = searches.map((open) => open(needles, coverUp))
    groups.push({ texts: group, bytes: bytesOf(group), searches: opened })
    for (const search of opened) search.take(held, base)
  }

  function coverUp(begun: number, end: number): void {
    let from = Math.max(base, begun)
    let to = end
    let shown = false
    const first = firstBehind(covered, from)
    let next = first
    for (let each = covered[next]; each && each.from < end; each = covered[next]) {
      from = Math.min(from, each.from)
      to = Math.max(to, each.to)
      shown ||= each.shown
      next += 1
    }
    covered.splice(first, next - first, { from, to, shown })
  }

  /** Outputs `held` up to a position in the stream, and keeps the rest. */
  function release(end: number): Buffer {
    const pieces: Buffer[] = []
    let at = base
    for (const stretch of covered) {
      if (stretch.from >= end) break
      pieces.push(held.subarray(at - base, Math.max(at, stretch.from) - base))
      if (!stretch.shown) pieces.push(mask)
      stretch.shown = true
      at = Math.min(stretch.to, end)
    }
    pieces.push(held.subarray(at - base, end - base))
    held = held.subarray(end - base)
    base = end
    covered = covered.filter(({ to }) => to > end)
    return Buffer.concat(pieces)
  }

  function drop(): void {
    held = Buffer.alloc(0)
    covered = []
    unite()
  }

  function unite(): void {
    const all = groups.flatMap((group) => group.texts)
    groups = []
    if (all.length > 0) begin(all)
  }

  return {
    push(chunk) {
      if (groups.length === 0) return Buffer.from(chunk)
      const from = base + held.length
      held = Buffer.concat([held, chunk])
      const end = base + held.length
      let settled = end
      for (const search of groups.flatMap((group) => group.searches)) {
        search.take(chunk, from)
        settled = Math.min(settled, search.settled(end))
      }
      return release(Math.max(base, settled))
    },

    end() {
      const rest = release(base + held.length)
      drop()
      return rest
    },

    drop,
    add,
    unite,
  }
}

/**
 * The positions of these texts in a whole text, in any of the usual encodings: in order, with
 * overlaps merged.
 */
export function stretchesOf(texts: readonly Uint8Array[], bytes: Uint8Array): Stretch[] {
  const filled = texts.filter(({ length }) => length > 0)
  if (filled.length === 0) return []
  const needles = arrangeNeedles(filled)
  const found: Stretch[] = []
  for (const open of allSearches) {
    open(needles, (from, to) => found.push({ from: Math.max(0, from), to })).take(bytes, 0)
  }
  return unite(found)
}

/** Index of the first stretch that ends after this position; stretches are in order. */
function firstBehind(covered: readonly Covered[], place: number): number {
  let low = 0
  let high = covered.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((covered[middle]?.to ?? 0) > place) high = middle
    else low = middle + 1
  }
  return low
}

function bytesOf(texts: readonly Uint8Array[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** All encodings in which secrets are searched for. */
const allSearches: readonly OpenSearch[] = [textSearch(usualEscapes), base64Search, hexSearch]
