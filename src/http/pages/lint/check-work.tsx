import { workOf } from '../../../reader/work.ts'
import type { Frame } from '../parts/layout.tsx'
import { renderPage } from '../render-page.ts'
import { check } from './check.ts'
import type { LintForm } from './lint-form.ts'
import { LintPage } from './page.tsx'

interface CheckInput {
  form: LintForm
  frame: Frame
}

/** Checks the file of a form and renders its page, which can be expensive too. */
export const checkWork = workOf(import.meta.url, 'checkWork', ({ form, frame }: CheckInput) =>
  renderPage(<LintPage form={form} frame={frame} checked={check(form)} />),
)
