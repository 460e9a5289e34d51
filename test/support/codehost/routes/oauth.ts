import { type Members, textOf } from '../body.ts'
import { escape, page } from '../html.ts'
import { notFound, ok, type Reply } from '../reply.ts'
import { route } from '../route.ts'
import type { Account } from '../tables.ts'
import { secret } from '../tokens.ts'
import type { World } from '../world.ts'
import { exchange } from './exchange.ts'

/** How people sign in with the app: a page that asks them, then a code that becomes a token. */
export const oauthRoutes = [
  route('GET /login/oauth/authorize', ({ world, query }) =>
    asking(world, query, (user, back) =>
      world.authorized.has(user) ? grant(world, user, query, back) : ok(question(world, query)),
    ),
  ),

  route('POST /login/oauth/authorize', ({ world, body }) => {
    const query = formOf(body)
    return asking(world, query, (user, back) => {
      if (query.get('authorize') !== '1') return goBack(back, { ...denied, ...stateOf(query) })
      world.authorized.add(user)
      return grant(world, user, query, back)
    })
  }),

  route('POST /login/oauth/access_token', ({ world, body, headers }) => {
    const answer = exchange(world, body)
    if (/\bjson\b/.test(headers.accept ?? '')) return ok(answer)
    const type = 'application/x-www-form-urlencoded; charset=utf-8'
    return ok(formOf(answer).toString(), { 'content-type': type })
  }),
]

type Answers = (user: Account, back: URL) => Reply

/** Looks at who asks for what before anyone is asked for consent. */
function asking({ app, browser }: World, query: URLSearchParams, answer: Answers): Reply {
  if (query.get('client_id') !== app.clientId) throw notFound()
  const [callback] = app.callbackUrls
  const wanted = query.get('redirect_uri') ?? callback
  if (callback === undefined || wanted === undefined) throw notFound()
  if (!app.callbackUrls.includes(wanted)) {
    return goBack(new URL(callback), { ...mismatch, ...stateOf(query) })
  }
  if (!browser) return { status: 401, body: page('<p>Sign in to go on.</p>') }
  return answer(browser, new URL(wanted))
}

const documentation = 'https://docs.github.com/apps/troubleshooting-authorization-request-errors'
const mismatch = {
  error: 'redirect_uri_mismatch',
  error_description:
    'The redirect_uri MUST match the registered callback URL for this application.',
  error_uri: `${documentation}/#redirect-uri-mismatch`,
}
const denied = {
  error: 'access_denied',
  error_description: 'The user has denied your application access.',
  error_uri: `${documentation}/#access-denied`,
}

function grant({ tables, now }: World, user: Account, query: URLSearchParams, back: URL): Reply {
  const code = secret().slice(0, 20)
  tables.grants.push({
    code,
    user,
    redirect_uri: query.get('redirect_uri'),
    code_challenge: query.get('code_challenge'),
    expires_at: new Date(now().getTime() + 10 * 60 * 1000),
  })
  return goBack(back, { code, ...stateOf(query) })
}

function goBack(to: URL, parameters: Readonly<Record<string, string>>): Reply {
  const url = new URL(to)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { status: 302, headers: { location: String(url) } }
}

function stateOf(query: URLSearchParams): Record<string, string> {
  const state = query.get('state')
  return state === null ? {} : { state }
}

function formOf(members: Members): URLSearchParams {
  const texts = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : (textOf(value) ?? ''),
  ])
  return new URLSearchParams(texts)
}

function question({ app, browser }: World, query: URLSearchParams): string {
  const fields = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  return page(`<h1>Authorize ${escape(app.name)}</h1>
<p>as ${escape(browser?.login ?? '')}</p>
<form method="post" action="/login/oauth/authorize">${fields.join('')}
<button name="authorize" value="1">Authorize ${escape(app.name)}</button>
<button name="authorize" value="0">Cancel</button></form>`)
}
