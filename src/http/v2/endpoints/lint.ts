import { writtenJson } from '../../answer.ts'
import { type Call, post, put } from '../../endpoint.ts'
import { readLintInput } from '../../lint/lint-input.ts'
import { mostBytes } from '../../../lint/limits.ts'
import { readFor } from '../../lint/read-for.ts'
import { warningsWork } from '../../lint/warnings.ts'

const lint = {
  mostBytes,
  async answer(call: Call) {
    const input = { ...readLintInput(call), around: 'lint' as const }
    return writtenJson(await readFor(call, warningsWork, input))
  },
}

export const lintEndpoints = [post('/lint', lint), put('/lint', lint)]
