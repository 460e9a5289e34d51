import {
  readRegularExpression,
  type RegularExpression,
  RegularExpressionError,
} from '../regular-expression.ts'
import { type Call, ConditionError } from './condition.ts'
import { parseCall } from './operand.ts'
import type { Scanner } from './scanner.ts'

/** Ends at the next slash that is not escaped. */
const slashed = /\/((?:\\.|[^/\\])*)\//sy
/** Ends at white space; closing parentheses behind it belong to the text around it. */
const bare = /\S*[^\s)]/y

/** What stands behind `=~`; null for nothing at all. */
export function parsePattern(scanner: Scanner): RegularExpression | Call | null {
  const call = parseCall(scanner)
  if (call) return call
  const found = scanner.take(slashed) ?? scanner.take(bare)
  if (!found) return null
  const source = found[1] ?? found[0]
  return readPattern(source, found.index + (found[1] === undefined ? 0 : 1))
}

/** `offset` is where the source starts in the condition. */
export function readPattern(source: string, offset: number): RegularExpression {
  try {
    return readRegularExpression(source)
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    const at = offset + error.offset
    if (error.unsupported) {
      const reason = `the regular expression /${source}/ cannot be used: ${error.message}`
      throw new ConditionError(reason, at, reason)
    }
    const reason = `bad regular expression /${source}/`
    throw new ConditionError(`${reason}: ${error.message}`, at, reason)
  }
}
