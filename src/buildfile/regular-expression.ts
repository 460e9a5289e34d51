import { createRequire } from 'node:module'
import type * as Re2js from 're2js'
import { RegularExpressionError, unsupported } from './regular-expression/error.ts'
import { parse } from './regular-expression/parse.ts'
import { sizeOf } from './regular-expression/piece.ts'
import { write } from './regular-expression/write.ts'

export { RegularExpressionError }

export interface RegularExpression {
  /** As written, without slashes. */
  source: string
  /**
   * Whether the pattern matches anywhere in the text, in time linear in the length of the text. Throws a
   * `RegularExpressionError` if even that would take too long.
   */
  test: (text: string) => boolean
  /** Worst-case cost of a test, in steps of about 10 ns. */
  costOf: (text: string) => number
}

const maximumLength = 1000
/** Keeps the total number of repetitions within RE2's limit. */
const maximumSize = 1000
const maximumCost = 10_000_000

/**
 * Reads a regular expression of Ruby's dialect. Throws a `RegularExpressionError`, also for features
 * that a linear-time engine does not support.
 */
export function readRegularExpression(source: string): RegularExpression {
  if (source.length > maximumLength) {
    throw unsupported(`more than ${maximumLength} characters are`, maximumLength)
  }
  const root = parse(source)
  const size = sizeOf(root)
  if (size > maximumSize)
    throw unsupported(`repetitions of more than ${maximumSize} parts in total are`, 0)
  const written = write(root)
  const costOf = (text: string) => size * text.length
  let engine: Engine | undefined
  return {
    source,
    costOf,
    test(text) {
      if (costOf(text) > maximumCost) throw unsupported('a text this long, for this pattern, is', 0)
      engine ??= compile(written)
      return engine.test(text)
    },
  }
}

type Engine = Pick<Re2js.RE2JS, 'test'>

/** The engine takes longer to load than the rest of the room, so it is loaded at the first match. */
function compile(written: string): Engine {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof Re2js
  return RE2JS.compile(written, RE2JS.MULTILINE | RE2JS.LOOKBEHINDS)
}
