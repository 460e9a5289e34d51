import { json } from '../../answer.ts'
import { readLintInput } from '../../lint/lint-input.ts'
import { lintLimit } from '../../lint/limit.ts'
import { warningsOf } from '../../lint/warnings.ts'
import { actionsOf, post } from '../action.ts'

/** The findings of a build file: there is no record behind it, and anyone can call it. */
export const lintActions = actionsOf(
  { type: 'lint' },
  {
    lint: post('/lint', {
      limit: lintLimit,
      accepts: ['content'],
      answer: async (call) => json({ '@type': 'lint', warnings: warningsOf(readLintInput(call)) }),
    }),
  },
)
