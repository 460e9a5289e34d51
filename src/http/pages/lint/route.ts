import { type Call, get, post } from '../../endpoint.ts'
import { parametersOf } from '../../lint/lint-input.ts'
import { lintLimit } from '../../lint/limit.ts'
import { asPage } from '../as-page.tsx'
import { emptyLintForm, readLintForm } from './lint-form.ts'
import { check } from './check.ts'
import { LintPage } from './page.tsx'

const show = asPage(LintPage)

export const lintPages = [
  get('/lint', { answer: async (call) => show({ form: emptyLintForm, checked: null }, call) }),
  post('/lint', {
    limit: lintLimit,
    async answer(call: Call) {
      const form = readLintForm(parametersOf(call))
      return show({ form, checked: check(form) }, call)
    },
  }),
]
