import { json } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import { givenOf } from '../lint/given.ts'
import { lintLimit } from '../lint/limit.ts'
import { warningsOf } from '../lint/warnings.ts'

/** Anybody may have a build file linted. */
export const lint = {
  limit: lintLimit,
  async answer(call: Call) {
    return json({ '@type': 'lint', warnings: warningsOf(givenOf(call)) })
  },
}
