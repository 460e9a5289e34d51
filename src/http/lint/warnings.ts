import { isAtLeast } from '../../lint/finding.ts'
import { lintText } from '../../lint/lint-text.ts'
import type { Given } from './lint-input.ts'

/** What the lint of both generations answers (D9): alerts, errors and warnings, the worst first. */
export function warningsOf({ text, advice }: Given) {
  return lintText(text, { advice })
    .findings.filter((finding) => isAtLeast('warn', finding))
    .map(({ key, message, level, code, line, column }) => {
      return { key, message, level, code, line, column }
    })
}
