import { setupCode } from '../../rates.ts'
import { text } from '../../parameters/kinds.ts'
import { get, post } from '../../endpoint.ts'
import { finish } from './finish.tsx'
import { ask, begin } from './begin.tsx'

/** The app is registered at the code host, which sends the browser back with a code. */
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
