import { mostBytes } from '../../../lint/limits.ts'
import { writtenJson } from '../../core/answer.ts'
import { type Call, post, put } from '../../core/endpoint.ts'
import { lintParameters, readLintInput } from '../../lint/lint-input.ts'
import { warningsFor } from '../../lint/warnings-for.ts'
import type { Values } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'

const lint = {
  mostBytes,
  accepts: lintParameters,
  body: 'text' as const,
  negotiates: false,
  open: true,
  docs: {
    summary: 'what the linter finds in a build file',
    schema: answers.lint,
    example: { content: 'language: ruby' },
  },
  async answer(call: Call, values: Values<typeof lintParameters>) {
    const input = { ...readLintInput(call, values), around: 'lint' as const }
    return writtenJson(await warningsFor(call, input))
  },
}

export const lintEndpoints = [post('/lint', lint), put('/lint', lint)]
