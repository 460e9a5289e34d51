import { notFound } from '../../../domain/errors.ts'
import { subjects } from '../../../lint/subjects.ts'
import { get } from '../../core/endpoint.ts'
import { asPage } from '../as-page.tsx'
import { CodePage } from './code-page.tsx'
import { CodesPage } from './page.tsx'

const showAll = asPage(CodesPage)
const showOne = asPage(CodePage)

/** The documentation of the linter, at the paths that findings name. */
export const codePages = [
  get('/docs/lint', { open: true, answer: async (call) => showAll({ subjects }, call) }),
  get('/docs/lint/:code', {
    open: true,
    async answer(call) {
      const subject = subjects.find(({ code }) => code === call.params.code)
      if (!subject) throw notFound()
      return showOne({ subject }, call)
    },
  }),
]
