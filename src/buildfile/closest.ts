/** The candidate that was probably meant by a misspelt text, if one is near enough. */
export function closest(text: string, candidates: readonly string[]): string | undefined {
  if (text.length < 3 || text.length > longest) return undefined
  const near = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(text, candidate) }))
    .filter(
      ({ candidate, distance }) => distance < Math.min(text.length / 2, candidate.length / 2, 4),
    )
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.candidate
}

/** No known word is nearly as long, and the effort grows with the length. */
const longest = 40

/** How many letters must be put in, taken out or changed (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
