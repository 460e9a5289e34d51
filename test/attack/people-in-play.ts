import { consent, hiddenIn } from '../http/login-scene.ts'
import type { FakeCodehost } from '../support/codehost/codehost.ts'

const accept = 'text/html'

/**
 * Logs a user in at a running service through the code host's own pages, and creates a token on the
 * profile page. Returns the secrets that no one else can ever see.
 */
export async function logInAt(
  { localUrl, url }: { localUrl: string; url: string },
  host: FakeCodehost,
  login: string,
) {
  host.setCallbackUrls([`${url}/auth/handshake`])
  host.signIn(login)
  const visit = (address: string, cookie = '', form?: Record<string, string | string[]>) =>
    fetch(address, {
      headers: { accept, cookie },
      redirect: 'manual',
      ...(form
        ? {
            method: 'POST',
            body: new URLSearchParams(
              Object.entries(form).flatMap(([name, value]) =>
                [value].flat().map((each) => [name, each]),
              ),
            ),
          }
        : {}),
    })
  const asked = await visit(`${localUrl}/auth/handshake`)
  const back = new URL(await consent(asked.headers.get('location') ?? ''))
  const done = await visit(`${localUrl}${back.pathname}${back.search}`, cookieOf(asked))
  const cookie = cookieOf(done)
  const profile = await visit(`${localUrl}/profile`, cookie)
  const fields = hiddenIn(await profile.text(), '/profile/tokens')
  const made = await visit(`${localUrl}/profile/tokens`, cookie, {
    ...fields,
    ...{
      name: 'laptop',
      'scopes[]': ['read', 'builds', 'settings', 'admin'],
      sees_private: 'true',
    },
  })
  const [token = ''] = /bsvc_\w{32}/.exec(await made.text()) ?? []
  const session = cookie.replace('service.session=', '')
  const atCodehost = host.tables.tokens.flatMap((each) => (each.kind === 'user' ? each.token : []))
  return { token, secrets: [session, token, fields.form_token ?? '', ...atCodehost] }
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
