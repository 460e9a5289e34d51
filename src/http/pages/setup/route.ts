import { get, post } from '../../core/endpoint.ts'
import { setupCode } from '../../identity/rate-limits.ts'
import { text } from '../../parameters/kinds.ts'
import { ask, begin } from './begin.tsx'
import { finish } from './finish.tsx'

/** Pages that register the app at the code host, which sends the browser back with a code. */
export const setupPages = [
  get('/setup', { open: true, answer: ask }),
  post('/setup/app', {
    open: true,
    rate: setupCode,
    accepts: { code: text(), organization: text() },
    answer: begin,
  }),
  get('/setup/callback', {
    open: true,
    rate: setupCode,
    accepts: { code: text(), state: text() },
    answer: finish,
  }),
]
