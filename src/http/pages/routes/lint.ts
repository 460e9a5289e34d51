import { type Call, get, post } from '../../endpoint.ts'
import { parametersOf } from '../../lint/given.ts'
import { lintLimit } from '../../lint/limit.ts'
import { nothingAsked, readAsked } from '../lint/asked.ts'
import { check } from '../lint/check.ts'
import { LintPage } from '../lint/lint-page.tsx'
import { page } from '../page.tsx'

const show = page(LintPage)

export const lintPages = [
  get('/lint', { answer: async (call) => show({ asked: nothingAsked, checked: null }, call) }),
  post('/lint', {
    limit: lintLimit,
    async answer(call: Call) {
      const asked = readAsked(parametersOf(call))
      return show({ asked, checked: check(asked) }, call)
    },
  }),
]
