import { allKeys } from '../schema/table.ts'
import { distanceBetween, lackedBy, type Lettered, lettered, sortedBytes } from './distance.ts'
import { known, neverCandidates, neverMeant, stopWords } from './known-misspellings.ts'

/** Names that a misspelt text may mean, prepared for many lookups. */
export interface Candidates {
  list: readonly Candidate[]
  /** Names that the list of known misspellings may lead to. */
  texts: ReadonlySet<string>
}

interface Candidate extends Lettered {
  text: string
}

interface Match {
  candidate: Candidate
  distance: number
}

/** `otherNames` are found by distance only, not through the list of known misspellings. */
export function candidatesFrom(
  texts: Iterable<string>,
  otherNames: Iterable<string> = [],
): Candidates {
  const all = new Set(texts)
  const list = [...new Set([...all, ...otherNames])]
    .filter((text) => !neverCandidates.has(text))
    .map((text) => ({ text, ...lettered(text) }))
  return { list, texts: all }
}

/** The candidate that was meant by a misspelt text, if one is near enough. */
export function findMeant(text: string, { list, texts }: Candidates): string | undefined {
  // The longest candidate has some 30 letters.
  if (text.length < shortest || text.length > 100) return undefined
  const target = known.get(text)
  if (target !== undefined && texts.has(target)) return target
  const { bytes, letters } = lettered(text)
  const best = bestOf(near(bytes, letters, list), bytes) ?? permutation(bytes, letters, list)
  if (best === undefined || neverMeant.has(best) || isStopWord(text)) return undefined
  return best
}

const shortest = 3
const farthest = 4

function near(bytes: Uint8Array, letters: number, list: readonly Candidate[]): Match[] {
  const matches: Match[] = []
  for (const candidate of list) {
    const limit = Math.min(bytes.length / 2, candidate.bytes.length / 2, farthest)
    if (Math.abs(bytes.length - candidate.bytes.length) >= limit) continue
    if (lackedBy(candidate.letters, letters) >= limit) continue
    const distance = distanceBetween(bytes, candidate.bytes)
    if (distance < limit) matches.push({ candidate, distance })
  }
  return matches
}

/** The nearest candidate; of several, the candidate with most letters of the text, then the longest. */
function bestOf(matches: readonly Match[], bytes: Uint8Array): string | undefined {
  if (matches.length < 2) return matches[0]?.candidate.text
  const [first, second] = matches.toSorted((one, other) => one.distance - other.distance)
  if (!first || !second || first.distance < second.distance) return first?.candidate.text
  const letters = new Set(bytes)
  const shared = matches
    .map(({ candidate }) => ({ candidate, count: countIn(candidate.bytes, letters) }))
    .toSorted((one, other) => other.count - one.count)
  const [most, next] = shared
  if (most && next && most.count > next.count) return most.candidate.text
  const lengths = matches.map(({ candidate }) => candidate.bytes.length)
  const longest = Math.max(...lengths)
  return matches.find(({ candidate }) => candidate.bytes.length === longest)?.candidate.text
}

function countIn(bytes: Uint8Array, letters: ReadonlySet<number>): number {
  return new Set(bytes.filter((byte) => letters.has(byte))).size
}

/** The candidate with the same letters in another order, for short texts only. */
function permutation(bytes: Uint8Array, letters: number, list: readonly Candidate[]) {
  if (bytes.length >= 6) return undefined
  const sameLetters = list.filter((candidate) => candidate.letters === letters)
  if (sameLetters.length === 0) return undefined
  const sorted = sortedBytes(bytes)
  return sameLetters.find((candidate) => sortedBytes(candidate.bytes) === sorted)?.text
}

let names: ReadonlySet<string> | undefined

/** A valid key in the wrong map is not a misspelling. */
function isStopWord(text: string): boolean {
  names ??= new Set(JSON.parse(allKeys) as string[])
  return stopWords.has(text) || (names.has(text) && !neverCandidates.has(text))
}
