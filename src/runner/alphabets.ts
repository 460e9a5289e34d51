/** How the bytes of a text count while it is searched. */
export interface Alphabet {
  /** What each byte counts as: another one, or `skipped`. */
  as: Int16Array
  /** As many may be skipped in a row. */
  gap: number
  /**
   * Fewer bytes than this at the end of a line are not kept back, although they may begin a form: else the
   * last character of many lines would wait for the next one.
   */
  kept: number
}

export const skipped = -1

/** A line break, and what indents the next line. */
const longestGap = 20

const blanks = ' \t\r\n'

/** Each byte as it is. */
export const plain: Alphabet = { as: Int16Array.from({ length: 256 }, at), gap: 0, kept: 0 }

/** Both of its kinds; `base64` wraps its lines at 76 signs, `openssl` at 64. */
export const base64: Alphabet = {
  as: counted({ '-': '+', _: '/' }, blanks),
  gap: longestGap,
  kept: 3,
}

/** In digits of either case, as of `xxd -p`, and in bytes with blanks or colons between, as of `od -An -tx1`. */
export const hex: Alphabet = {
  as: counted({ A: 'a', B: 'b', C: 'c', D: 'd', E: 'e', F: 'f' }, `${blanks}:`),
  gap: longestGap,
  kept: 4,
}

function counted(others: Readonly<Record<string, string>>, without: string): Int16Array {
  const as = Int16Array.from(plain.as)
  for (const [sign, other] of Object.entries(others)) as[codeOf(sign)] = codeOf(other)
  for (const sign of without) as[codeOf(sign)] = skipped
  return as
}

function codeOf(sign: string): number {
  return sign.charCodeAt(0)
}

function at(_: unknown, index: number): number {
  return index
}
