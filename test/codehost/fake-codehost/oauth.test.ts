import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { noon } from '../../support/context.ts'
import { fakeScene } from './scene.ts'

const callback = 'https://ci.example.org/auth/callback'
let time = noon
const { host, withToken } = await fakeScene({ now: () => time, app: { callbackUrls: [callback] } })
const { clientId: client_id, clientSecret: client_secret } = host.app

beforeEach(() => {
  host.signIn('octavia')
  time = noon
})

/** The response to the browser: a page or a redirect. */
async function browse(given: Record<string, string>, method: 'GET' | 'POST' = 'GET') {
  const fields = new URLSearchParams({ client_id, state: 's-1', ...given })
  const url = `${host.url}/login/oauth/authorize`
  const answer = await (method === 'GET'
    ? fetch(`${url}?${fields}`, { redirect: 'manual' })
    : fetch(url, { method: 'POST', body: fields, redirect: 'manual' }))
  const location = answer.headers.get('location')
  const sentTo = location === null ? undefined : new URL(location)
  return { status: answer.status, page: await answer.text(), sentTo }
}

async function newCode(given: Record<string, string> = {}): Promise<string> {
  const { sentTo } = await browse({ authorize: '1', ...given }, 'POST')
  return sentTo?.searchParams.get('code') ?? ''
}

async function exchange(given: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(`${host.url}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id, client_secret, ...given }),
  })
  return (await answer.json()) as Record<string, unknown>
}

describe('the page', () => {
  test('asks for consent once, then redirects the browser with a code', async () => {
    host.signIn('ada')
    const asked = await browse({})
    expect(asked).toMatchObject({ status: 200, sentTo: undefined })
    expect(asked.page).toContain('<button name="authorize" value="1">Authorize build-service')

    const { status, sentTo } = await browse({ authorize: '1' }, 'POST')
    expect(status).toBe(302)
    expect(sentTo?.href.split('?')[0]).toBe(callback)
    expect(Object.fromEntries(sentTo?.searchParams ?? [])).toEqual({
      code: expect.stringMatching(/^\w{20}$/),
      state: 's-1',
    })
    const again = await browse({})
    expect(again.sentTo?.searchParams.get('code')).toMatch(/^\w{20}$/)
  })

  test.each([
    ['when the user declines', { authorize: '0' }, 'access_denied'],
    [
      'when the redirect URL is not allowed',
      { redirect_uri: 'https://x.org' },
      'redirect_uri_mismatch',
    ],
  ])('redirects the browser with an error %s', async (_, given, error) => {
    const { sentTo } = await browse(given, 'POST')
    expect(sentTo?.href.split('?')[0]).toBe(callback)
    expect(Object.fromEntries(sentTo?.searchParams ?? [])).toMatchObject({ error, state: 's-1' })
  })

  test('rejects an unknown app, and a user who is not signed in', async () => {
    expect(await browse({ client_id: 'other' })).toMatchObject({ status: 404 })
    host.signIn(undefined)
    expect(await browse({})).toMatchObject({ status: 401 })
  })
})

describe('a code', () => {
  test('is exchanged for a token, once', async () => {
    const code = await newCode()
    const answer = await exchange({ code })
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^ghu_/),
      refresh_token: expect.stringMatching(/^ghr_/),
      expires_in: 28_800,
      refresh_token_expires_in: 15_897_600,
      scope: '',
      token_type: 'bearer',
    })
    const { data } = await withToken(String(answer.access_token)).rest.users.getAuthenticated()
    expect(data).toMatchObject({ login: 'octavia' })
    expect(await exchange({ code })).toMatchObject({ error: 'bad_verification_code' })
  })

  test.each([
    ['with a wrong secret', { client_secret: 'x' }, 'incorrect_client_credentials'],
    ['when it is unknown', { code: 'x' }, 'bad_verification_code'],
    ['for another redirect URL', { redirect_uri: 'https://x.org' }, 'redirect_uri_mismatch'],
  ])('is rejected %s', async (_, odd, error) => {
    expect(await exchange({ code: await newCode(), ...odd })).toMatchObject({ error })
  })

  test('expires after ten minutes', async () => {
    const code = await newCode()
    time = new Date(noon.getTime() + 10 * 60 * 1000)
    expect(await exchange({ code })).toMatchObject({ error: 'bad_verification_code' })
  })

  test('can be bound to a secret of the client', async () => {
    const code_challenge = createHash('sha256').update('secret').digest('base64url')
    const asked = { code_challenge, code_challenge_method: 'S256' }
    const wrong = { code: await newCode(asked), code_verifier: 'other' }
    expect(await exchange(wrong)).toMatchObject({ error: 'bad_verification_code' })
    const right = { code: await newCode(asked), code_verifier: 'secret' }
    expect(await exchange(right)).toMatchObject({ token_type: 'bearer' })
  })

  test('is exchanged in form encoding if JSON is not requested', async () => {
    const answer = await fetch(`${host.url}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, code: await newCode() }),
    })
    expect(new URLSearchParams(await answer.text()).get('token_type')).toBe('bearer')
  })
})

test('a token expires after eight hours, and can be refreshed', async () => {
  const first = await exchange({ code: await newCode() })
  const user = (token: unknown) => withToken(String(token)).rest.users.getAuthenticated()
  time = new Date(noon.getTime() + 8 * 60 * 60 * 1000)
  await expect(user(first.access_token)).rejects.toMatchObject({ status: 401 })
  const refresh_token = String(first.refresh_token)
  const given = { grant_type: 'refresh_token', refresh_token }
  const second = await exchange(given)
  expect((await user(second.access_token)).data).toMatchObject({ login: 'octavia' })
  expect(await exchange(given)).toMatchObject({ error: 'bad_refresh_token' })
})
