/** A set of characters, as the inside of an RE2 class; negated: all characters but these. */
export interface CharacterSet {
  members: string
  negated: boolean
}

export function writtenCharacter(code: number): string {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${code.toString(16)}}`
}

export const blanks = String.raw`\x{9}-\x{d}\x{20}`
export const hexadecimals = '0-9A-Fa-f'
const graph = String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}`

/** Sets by the names that brackets and properties share; beyond ASCII they follow Ruby. */
export const posixSets: Readonly<Record<string, string>> = {
  alnum: String.raw`\p{L}\p{M}\p{Nd}`,
  alpha: String.raw`\p{L}\p{M}\p{Nl}`,
  ascii: String.raw`\x{0}-\x{7f}`,
  blank: String.raw`\x{9}\p{Zs}`,
  cntrl: String.raw`\p{Cc}`,
  digit: String.raw`\p{Nd}`,
  graph,
  lower: String.raw`\p{Ll}`,
  print: `${graph}${String.raw`\p{Zs}`}`,
  punct: String.raw`\p{P}\x{24}\x{2b}\x{3c}-\x{3e}\x{5e}\x{60}\x{7c}\x{7e}`,
  space: String.raw`\x{9}-\x{d}\x{85}\p{Z}`,
  upper: String.raw`\p{Lu}`,
  word: String.raw`\p{L}\p{M}\p{Nd}\p{Pc}`,
  xdigit: hexadecimals,
}

const categories = /^(?:C[cfo]?|L[ulmot]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/
const scripts =
  /^(?:Arabic|Armenian|Cyrillic|Devanagari|Georgian|Greek|Han|Hangul|Hebrew|Hiragana|Katakana|Latin|Thai)$/

/** The characters with a property, whose name can be spelled in any way; undefined for unknown names. */
export function membersOfProperty(name: string): string | undefined {
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase()
  if (plain === 'any') return String.raw`\x{0}-\x{10ffff}`
  if (Object.hasOwn(posixSets, plain)) return posixSets[plain]
  const title = plain.charAt(0).toUpperCase() + plain.slice(1)
  return categories.test(title) || scripts.test(title) ? `\\p{${title}}` : undefined
}
