import { mostBytes } from '../../../lint/limits.ts'
import { writtenJson } from '../../core/answer.ts'
import { lintParameters, readLintInput } from '../../lint/lint-input.ts'
import { warningsFor } from '../../lint/warnings-for.ts'
import { warningsSchema } from '../../lint/warnings.ts'
import { constant, objectOf } from '../../openapi/schema.ts'
import { ofType } from '../../parameters/parameter.ts'
import { actionsOf, post } from '../core/action.ts'

/** Lints a build file: no record is involved, and anyone can call it. */
export const lintActions = actionsOf(
  { type: 'lint' },
  {
    lint: post('/lint', {
      mostBytes,
      accepts: ofType('lint', lintParameters),
      body: 'text',
      docs: {
        summary:
          'the alerts, errors and warnings of the linter about a build file, which is the body or its `content`; nothing is stored',
        fails: ['too_many_requests'],
        schema: objectOf({ '@type': constant('lint'), warnings: warningsSchema }),
      },
      async answer(call, { 'lint.content': content, 'lint.advice': advice }) {
        const input = { ...readLintInput(call, { content, advice }), around: '@type' as const }
        return writtenJson(await warningsFor(call, input))
      },
    }),
  },
)
