import { json } from '../../answer.ts'
import { type Call, post, put } from '../../endpoint.ts'
import { readLintInput } from '../../lint/lint-input.ts'
import { lintLimit } from '../../lint/limit.ts'
import { warningsOf } from '../../lint/warnings.ts'

const lint = {
  limit: lintLimit,
  async answer(call: Call) {
    return json({ lint: { warnings: warningsOf(readLintInput(call)) } })
  },
}

export const lintEndpoints = [post('/lint', lint), put('/lint', lint)]
