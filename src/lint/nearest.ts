import { bytesOf, distanceBetween } from '../buildfile/misspellings/distance.ts'

/** No name or value that anything is near to is as long. */
const longest = 50

/**
 * The text that looks most like this one, in any case of letters; undefined where none is near: of the
 * letters of the shorter one, at most one in `per` may differ.
 */
export function nearest(text: string, candidates: readonly string[], per = 3): string | undefined {
  if (text.length > longest) return undefined
  const wanted = bytesOf(text.toLowerCase())
  const near = candidates
    .map((known) => ({ known, distance: distanceBetween(wanted, bytesOf(known.toLowerCase())) }))
    .filter(({ known, distance }) => distance <= Math.min(known.length, wanted.length) / per)
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.known
}
