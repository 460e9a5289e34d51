import { json } from '../../answer.ts'
import { type Call, post, put } from '../../endpoint.ts'
import { givenOf } from '../../lint/lint-input.ts'
import { lintLimit } from '../../lint/limit.ts'
import { warningsOf } from '../../lint/warnings.ts'

const lint = {
  limit: lintLimit,
  async answer(call: Call) {
    return json({ lint: { warnings: warningsOf(givenOf(call)) } })
  },
}

export const lintEndpoints = [post('/lint', lint), put('/lint', lint)]
