import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, expect } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { v2Endpoints } from '../../src/http/v2/endpoints/index.ts'
import { openApi } from '../../src/http/v2/openapi/document.ts'
import type { Database } from '../../src/store/tables.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import type { NewRepository } from '../support/codehost/acts/repositories.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext } from '../support/context.ts'
import { judgeOf } from './openapi.ts'
import { tagsIn } from './pages/reading.ts'

export const callback = 'https://ci.example.org/auth/handshake'
export const target = 'https://app.example.org/after'
/** Where a login begins that posts a token of the API to the target. */
export const toTarget = `/auth/handshake?redirect_uri=${encodeURIComponent(target)}`

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const form = { ...html, 'content-type': 'application/x-www-form-urlencoded' }

const { problemsOf } = judgeOf(openApi(v2Endpoints, { url: 'https://ci.example.org', version: '' }))

/** What an answer has that the API's document does not. */
function problemsWith(method: string, path: string, answer: LightMyRequestResponse): string[] {
  const type = answer.headers['content-type']?.toString()
  const body: unknown = type?.includes('json') ? answer.json() : answer.body
  return problemsOf({ method, path, status: answer.statusCode, type, body })
}

/** A browser that visits a server: it keeps cookies, and follows nothing by itself. */
export function visitorOf(server: FastifyInstance) {
  const cookies = new Map<string, string>()

  async function send(
    method: 'GET' | 'POST',
    url: string,
    fields?: Record<string, string>,
    more: Record<string, string> = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const path = url.replace('https://ci.example.org', '')
    const answer = await server.inject({
      method,
      url: path,
      headers: { ...(fields ? form : html), ...(cookie === '' ? {} : { cookie }), ...more },
      ...(fields ? { payload: new URLSearchParams(fields).toString() } : {}),
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) keep(set)
    if (path.startsWith('/auth/')) expect(problemsWith(method, path, answer)).toEqual([])
    return answer
  }

  function keep(set: string): void {
    const [pair = ''] = set.split(';', 1)
    const [name = '', value = ''] = pair.split('=', 2)
    if (/;\s*Max-Age=0(?:;|$)/.test(set)) cookies.delete(name)
    else cookies.set(name, value)
  }

  return {
    cookies,
    get: (url: string) => send('GET', url),
    post: (
      url: string,
      fields: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) => send('POST', url, fields, headers),
    /** Sends the form of a page with its hidden fields, of several the one with this action. */
    async submit(url: string, action: string, fields: Record<string, string> = {}) {
      const { body } = await send('GET', url)
      return send('POST', action, { ...hiddenIn(body, action), ...fields })
    },
  }
}

export type Visitor = ReturnType<typeof visitorOf>

/** The values of the hidden fields of a page's form, as a browser sends them. */
export function hiddenIn(page: string, action?: string): Record<string, string> {
  const forms = page.split('<form').slice(1)
  const wanted = forms.find((each) => action === undefined || each.includes(` action="${action}"`))
  const tags = tagsIn(`<form${wanted?.split('</form>', 1)[0] ?? ''}`)
  const hidden = tags.filter(({ attributes }) => attributes.type === 'hidden')
  return Object.fromEntries(
    hidden.map(({ attributes: { name = '', value = '' } }) => [name, value]),
  )
}

/** Says yes at the code host, and returns where the browser is sent then. */
export async function consent(address: string): Promise<string> {
  const { origin, pathname, searchParams } = new URL(address)
  const answer = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    body: new URLSearchParams([...searchParams, ['authorize', '1']]),
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? ''
}

/**
 * A service that is the app registered at a code host of the test's own, where octavia is signed in. The
 * app is installed on the owners of these repositories.
 */
export async function loginScene(
  db: Database,
  repositories: readonly NewRepository[] = [{ name: 'hello' }],
) {
  const ctx = testContext(db)
  const now = () => ctx.now()
  const host = await startCodehost({ now, app: { callbackUrls: [callback] } })
  afterAll(() => host.stop())
  Object.assign(ctx.codehosts, { codehost: appCodehost(host, now) })
  Object.assign(ctx.site.login, { origins: ['https://app.example.org'] })
  const server = await createServer(ctx)
  for (const repository of repositories) await host.addRepository(repository)

  beforeEach(() => {
    host.signIn('octavia')
    ctx.enqueued.length = 0
    // Each test has all that there is of what is limited.
    ctx.pass(600)
  })

  return {
    ctx,
    host,
    server,
    consent,
    visitor: () => visitorOf(server),
    /** Goes the whole way from a page that asks for a login to what the code host leads back to. */
    async logIn(visitor: Visitor, path = '/auth/handshake') {
      const asked = await visitor.get(path)
      return visitor.get(await consent(String(asked.headers.location)))
    },
  }
}
