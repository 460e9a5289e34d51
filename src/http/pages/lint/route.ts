import { mostBytes } from '../../../lint/limits.ts'
import { html } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { readFor } from '../../lint/read-for.ts'
import { asPage } from '../as-page.tsx'
import { frameOf } from '../frame.ts'
import { checkWork } from './check-work.tsx'
import { emptyLintForm, readLintForm } from './lint-form.ts'
import { LintPage } from './page.tsx'

const show = asPage(LintPage)

export const lintPages = [
  // Reloading the form's URL sends a GET without the form.
  get(['/lint', '/lint/check'], {
    open: true,
    answer: async (call) => show({ form: emptyLintForm, checked: null }, call),
  }),
  post('/lint/check', {
    open: true,
    mostBytes,
    async answer(call: Call) {
      const form = readLintForm(call.given)
      const frame = frameOf(call.ctx.site, call.viewer)
      return html(await readFor(call, checkWork, { form, frame }))
    },
  }),
]
