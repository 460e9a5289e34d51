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
   * Whether it is found anywhere in the text, in time linear in the length of the text. Throws a
   * `RegularExpressionError` where that would take too long all the same.
   */
  test: (text: string) => boolean
  /** What a test costs at worst, in steps of some 10 ns. */
  costOf: (text: string) => number
}

const maximumLength = 1000
/** So nothing is repeated more often, all in all, than RE2 allows. */
const maximumSize = 1000
const maximumCost = 10_000_000

/**
 * Reads a regular expression of Ruby's dialect. Throws a `RegularExpressionError`, also for what an
 * engine of linear time cannot do.
 */
export function readRegularExpression(source: string): RegularExpression {
  if (source.length > maximumLength) {
    throw unsupported(`more than ${maximumLength} characters are`, maximumLength)
  }
  const root = parse(source)
  const size = sizeOf(root)
  if (size > maximumSize)
    throw unsupported(`repetitions of more than ${maximumSize} things, all in all, are`, 0)
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

/** The engine takes longer to load than the rest of the room, so only what matches loads it. */
function compile(written: string): Engine {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof Re2js
  return RE2JS.compile(written, RE2JS.MULTILINE | RE2JS.LOOKBEHINDS)
}
