import { type Finding, isAtLeast } from '../../lint/finding.ts'
import { lintText } from '../../lint/lint-text.ts'
import { workOf } from '../../reader/work.ts'
import { mostValues } from '../../lint/limits.ts'
import type { LintInput } from './lint-input.ts'

export interface WarningsInput extends LintInput {
  /** The members that lead to the warnings, as they are nested. */
  around: WarningsAround
}

/** What the two generations put the warnings into. */
type WarningsAround = 'lint' | '@type'

/**
 * What the lint endpoints return (D9): alerts, errors and warnings, the worst first. As JSON in bytes:
 * there may be many of them, and turning them into text takes long as well.
 */
export const warningsWork = workOf(
  import.meta.url,
  'warningsWork',
  (input: WarningsInput): Uint8Array => warningsJson(warningsOf(input), input),
)

/** What the lint endpoints show of a finding. */
export type Warning = Pick<Finding, 'key' | 'message' | 'level' | 'code' | 'line' | 'column'>

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
    .map(({ key, message, level, code, line, column }) => {
      return { key, message, level, code, line, column }
    })
}
