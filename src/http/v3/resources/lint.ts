import { writtenJson } from '../../answer.ts'
import { readLintInput } from '../../lint/lint-input.ts'
import { mostBytes } from '../../../lint/limits.ts'
import { readFor } from '../../lint/read-for.ts'
import { warningsWork } from '../../lint/warnings.ts'
import { actionsOf, post } from '../action.ts'

/** The findings of a build file: there is no record behind it, and anyone can call it. */
export const lintActions = actionsOf(
  { type: 'lint' },
  {
    lint: post('/lint', {
      mostBytes,
      accepts: ['content'],
      async answer(call) {
        const input = { ...readLintInput(call), around: '@type' as const }
        return writtenJson(await readFor(call, warningsWork, input))
      },
    }),
  },
)
