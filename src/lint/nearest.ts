import { bytesOf, distanceBetween } from '../buildfile/misspellings/distance.ts'

/** Longer texts resemble no known name or value. */
const longest = 50

/**
 * The candidate most similar to a text, ignoring case; undefined if none is similar enough: at most one
 * in `per` letters of the shorter text may differ.
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
