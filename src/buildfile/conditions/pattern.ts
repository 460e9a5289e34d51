import {
  readRegularExpression,
  type RegularExpression,
  RegularExpressionError,
} from '../regular-expression.ts'
import { type FunctionCall, ConditionError } from './condition.ts'
import type { Effort } from './data.ts'
import { parseCall } from './operand.ts'
import type { Scanner } from './scanner.ts'

/** Ends at the next slash that has no backslash directly before it. */
const slashed = /\/((?:[^/]|(?<=\\)\/)*)(?<!\\)\//y
/** Ends at white space; closing parentheses at the end belong to the surrounding text. */
const bare = /\S*[^\s)]/y

/** Reads the operand of `=~`; null if nothing follows. */
export function parsePattern(scanner: Scanner): RegularExpression | FunctionCall | null {
  const call = parseCall(scanner)
  if (call) return call
  const found = scanner.take(slashed) ?? scanner.take(bare)
  if (!found) return null
  if (found[1] === undefined && found[0].startsWith('/')) {
    throw new ConditionError('the slash that ends a regular expression is missing', found.index)
  }
  const source = found[1] ?? found[0]
  return readPattern(source, found.index + (found[1] === undefined ? 0 : 1))
}

/** `start` is the offset of the source in the condition. */
function readPattern(source: string, start: number): RegularExpression {
  return withConditionErrors(
    source,
    (offset) => start + offset,
    () => readRegularExpression(source),
  )
}

/** Reads a pattern that evaluating a call has produced. */
export function readMadePattern(source: string, { start }: FunctionCall): RegularExpression {
  return withConditionErrors(
    source,
    () => start,
    () => readRegularExpression(source),
  )
}

/** Whether a pattern is found in a text. The possible cost is deducted from the effort. */
export function isFound(
  pattern: RegularExpression,
  text: string,
  { start, effort }: { start: number; effort?: Effort | undefined },
): boolean {
  if (effort) {
    effort.left -= pattern.costOf(text)
    if (effort.left < 0) {
      const message = 'the regular expressions of this build take too much time in total'
      throw new ConditionError(message, start, message)
    }
  }
  return withConditionErrors(
    pattern.source,
    () => start,
    () => pattern.test(text),
  )
}

/** Turns errors of a regular expression into errors of the condition. */
function withConditionErrors<Result>(
  source: string,
  locate: (offset: number) => number,
  use: () => Result,
): Result {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    const at = locate(error.offset)
    const details = `${error.message} (at character ${error.offset + 1} of it)`
    if (error.unsupported) {
      const excerpt = source.length > 100 ? `${source.slice(0, 100)}…` : source
      const reason = `the regular expression /${excerpt}/ cannot be used: ${details}`
      throw new ConditionError(reason, at, reason)
    }
    const reason = `bad regular expression /${source}/`
    throw new ConditionError(`${reason}: ${details}`, at, reason)
  }
}
