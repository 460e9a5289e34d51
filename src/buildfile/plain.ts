import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Pair,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml'

/** A document that is YAML, but not one to make values of. */
export class Unreadable extends Error {
  readonly at: number | null

  constructor(message: string, at: number | null = null) {
    super(message)
    this.at = at
  }
}

const deepest = 100
const mostTokens = 200_000
const mostValues = 100_000

/**
 * Refuses what would exhaust the stack of the recursive composer. There the end is not always an
 * error one can catch, so the levels are counted with the parser alone, which keeps a list.
 */
export function refuseMonsters(text: string): void {
  const parser = new Parser()
  let tokens = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) tokens += 1
    tokens += 1
    if (parser.stack.length > deepest) throw tooDeep()
    if (tokens > mostTokens) throw tooLarge()
  }
}

const tooDeep = () => new Unreadable(`it is nested more than ${deepest} levels deep`)
const tooLarge = () => new Unreadable(`it holds more than ${mostValues} values`)

/** A value, and how large and deep it is with all its aliases followed. */
interface Measured {
  value: unknown
  size: number
  depth: number
}

const nothing: Measured = { value: null, size: 1, depth: 1 }

/**
 * The plain value of a node. Aliases share the value of their anchor; both limits count as if each
 * had a copy, since whoever writes the value out makes these copies.
 */
export function plainValue(root: unknown): unknown {
  const anchors = new Map<string, Measured>()

  function read(node: unknown): Measured {
    // An alias to an unknown anchor, or to one it stands in, is null.
    if (isAlias(node)) return anchors.get(node.source) ?? nothing
    const measured = readFresh(node)
    if (measured.size > mostValues) throw tooLarge()
    if (measured.depth > deepest) throw tooDeep()
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      anchors.set(node.anchor, measured)
    }
    return measured
  }

  function readFresh(node: unknown): Measured {
    if (isMap(node)) return readMap(node)
    if (isSeq(node)) {
      const parts = node.items.map((item) => read(item instanceof Pair ? item.value : item))
      return around(
        parts.map(({ value }) => value),
        parts,
      )
    }
    if (!isScalar(node)) return nothing
    const text = textIn(node)
    const isPlain = node.type === 'PLAIN' && node.tag === undefined
    return { ...nothing, value: isPlain ? typed(text) : text }
  }

  function readMap(node: YAMLMap): Measured {
    const entries = new Map<string, unknown>()
    const parts: Measured[] = []
    for (const { key, value } of node.items) {
      const name = keyText(key)
      const part = read(value)
      parts.push(part)
      const merged = name === '<<' ? mapsOf(part.value) : undefined
      // Merged keys replace those before the `<<`; of several maps the first one wins.
      if (!merged) entries.set(name, part.value)
      for (const map of merged?.toReversed() ?? []) {
        for (const [inner, innerValue] of Object.entries(map)) entries.set(inner, innerValue)
      }
    }
    return around(Object.fromEntries(entries), parts)
  }

  return read(root).value
}

function around(value: unknown, parts: readonly Measured[]): Measured {
  const size = parts.reduce((sum, part) => sum + part.size, 1)
  const depth = parts.reduce((most, part) => Math.max(most, part.depth), 0) + 1
  return { value, size, depth }
}

/** Keys are text as written, without a leading colon. */
export function keyText(key: unknown): string {
  if (key === null) return ''
  if (isScalar(key)) return textIn(key).replace(/^:(?=.)/, '')
  const at = isMap(key) || isSeq(key) || isAlias(key) ? (key.range?.[0] ?? null) : null
  throw new Unreadable('a key must be text, not a map, a sequence or an alias', at)
}

function mapsOf(value: unknown): Record<string, unknown>[] | undefined {
  const maps = Array.isArray(value) ? value : [value]
  return maps.every(isRecord) ? maps : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Decimal fractions stay text, so that version 3.10 does not become 3.1. */
function typed(text: string): unknown {
  if (/^(?:~|null)?$/i.test(text)) return null
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

/** Neither shells nor databases take U+0000 and halves of surrogate pairs. */
function textIn({ value }: Scalar): string {
  // The failsafe schema makes text of every scalar.
  const text = typeof value === 'string' ? value : ''
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
}
