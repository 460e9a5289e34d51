import { json } from '../../answer.ts'
import { givenOf } from '../../lint/lint-input.ts'
import { lintLimit } from '../../lint/limit.ts'
import { warningsOf } from '../../lint/warnings.ts'
import { actionsOf, post } from '../action.ts'

/** The findings on a build file: there is no record behind it, and everyone can ask. */
export const lintActions = actionsOf(
  { type: 'lint' },
  {
    lint: post('/lint', {
      limit: lintLimit,
      accepts: ['content'],
      answer: async (call) => json({ '@type': 'lint', warnings: warningsOf(givenOf(call)) }),
    }),
  },
)
