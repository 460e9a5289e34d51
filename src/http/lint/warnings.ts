import { isAtLeast } from '../../lint/finding.ts'
import { lintText } from '../../lint/lint-text.ts'
import type { LintInput } from './lint-input.ts'

/** What the lint endpoints return (D9): alerts, errors and warnings, the worst first. */
export function warningsOf({ text, advice }: LintInput) {
  return lintText(text, { advice })
    .findings.filter((finding) => isAtLeast('warn', finding))
    .map(({ key, message, level, code, line, column }) => {
      return { key, message, level, code, line, column }
    })
}
