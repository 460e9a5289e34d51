export const bytesOf = (text: string): Uint8Array => Buffer.from(text)

/** A key that is equal for texts with the same bytes in any order. */
export const sortedBytes = (bytes: Uint8Array): string => bytes.toSorted().join()

/** A text prepared for comparisons. */
export interface Lettered {
  bytes: Uint8Array
  /** A set of bits: one for each of 32 groups of letters, set if the group occurs. */
  letters: number
}

export function lettered(text: string): Lettered {
  const bytes = bytesOf(text)
  return { bytes, letters: lettersOf(bytes) }
}

function lettersOf(bytes: Uint8Array): number {
  let letters = 0
  for (const byte of bytes) letters |= 1 << (byte & 31)
  return letters
}

/** The number of letter groups missing in the others: each change of a text adds at most one group. */
export function lackedBy(others: number, letters: number): number {
  let count = 0
  for (let rest = letters & ~others; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** The number of bytes to insert, remove or replace (Levenshtein). */
export function distanceBetween(one: Uint8Array, other: Uint8Array): number {
  const row = new Uint16Array(other.length + 1)
  for (let column = 0; column <= other.length; column += 1) row[column] = column
  for (let index = 0; index < one.length; index += 1) {
    let diagonal = index
    row[0] = index + 1
    for (let column = 1; column <= other.length; column += 1) {
      const above = row[column] ?? 0
      const changed = diagonal + (one[index] === other[column - 1] ? 0 : 1)
      row[column] = Math.min(changed, above + 1, (row[column - 1] ?? 0) + 1)
      diagonal = above
    }
  }
  return row[other.length] ?? 0
}
