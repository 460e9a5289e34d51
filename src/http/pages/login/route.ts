import { redirect } from '../../core/answer.ts'
import { get } from '../../core/endpoint.ts'
import { ownPath } from '../../identity/allowed-target.ts'
import { nextPage } from '../../login/ways.ts'
import { askForToken } from '../../login/with-token.ts'
import { text } from '../../parameters/kinds.ts'
import { asPage } from '../as-page.tsx'
import { handshakePath } from '../paths.ts'
import { LoginChoice } from './page.tsx'

const show = asPage(LoginChoice)

/** Leads to the code host, or asks for a token of this service if there is no app. */
export const loginPages = [
  get('/login', {
    open: true,
    accepts: { to: text() },
    answer(call, { to = '' }) {
      const { codehosts, site } = call.ctx
      const target = ownPath(site, to) ?? null
      if (call.viewer.user) return redirect(nextPage(site, target), 303)
      if (!codehosts.codehost?.people?.logins) return askForToken(call, { way: 'session', target })
      const query = target === null ? '' : `?${new URLSearchParams({ to: target })}`
      const { host } = new URL(site.codehost.web_url)
      const hrefOf = (provider?: 'local') => `${handshakePath(site.prefix, provider)}${query}`
      return show({ href: hrefOf(), tokenHref: hrefOf('local'), host }, call)
    },
  }),
]
