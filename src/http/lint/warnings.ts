import { type Finding, isAtLeast } from '../../lint/finding.ts'
import { mostValues } from '../../lint/limits.ts'
import { lintText } from '../../lint/lint-text.ts'
import { workOf } from '../../reader/work.ts'
import { integer, integerOrNull, listOf, objectOf, oneOf, text } from '../openapi/schema.ts'
import type { LintInput } from './lint-input.ts'

export interface WarningsInput extends LintInput {
  /** The form of the object around the warnings. */
  around: WarningsAround
}

/** The object around the warnings in each of the two generations. */
type WarningsAround = 'lint' | '@type'

/**
 * What the lint endpoints return (D9): alerts, errors and warnings, the worst first. As JSON in bytes,
 * because serializing many warnings takes long as well.
 */
export const warningsWork = workOf(
  import.meta.url,
  'warningsWork',
  (input: WarningsInput): Uint8Array => warningsJson(warningsOf(input), input),
)

/** The members of a finding that the lint endpoints show. */
export type Warning = Pick<
  Finding,
  'key' | 'message' | 'level' | 'code' | 'line' | 'column' | 'count'
>

export function warningsJson(
  warnings: readonly Warning[],
  { around }: Pick<WarningsInput, 'around'>,
): Uint8Array {
  const body = around === 'lint' ? { lint: { warnings } } : { '@type': 'lint', warnings }
  return new TextEncoder().encode(JSON.stringify(body, null, around === 'lint' ? 0 : 2))
}

function warningsOf({ text, advice }: LintInput): Warning[] {
  return lintText(text, { advice, mostValues })
    .findings.filter((finding) => isAtLeast('warn', finding))
    .map(({ key, message, level, code, line, column, count }) => {
      const warning = { key, message, level, code, line, column }
      return count === undefined ? warning : { ...warning, count }
    })
}

/** The schema of the lint endpoints' warnings, for the API's documents. */
export const warningsSchema = listOf(
  objectOf(
    {
      key: listOf(text),
      message: text,
      level: oneOf(['alert', 'error', 'warn']),
      code: text,
      line: integerOrNull,
      column: integerOrNull,
      count: integer,
    },
    ['count'],
  ),
)
