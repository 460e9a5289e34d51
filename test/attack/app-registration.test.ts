// A visitor of a service without an app must not be able to register an app of their own there: its
// owner could run any program on this machine.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { NewApp } from '../../src/domain/registered-app.ts'
import type { Registration } from '../../src/http/core/context.ts'
import { createServer } from '../../src/http/server.ts'
import { appManifest } from '../../src/service/registration/registration.ts'
import { caller, prefixed } from '../http/door.ts'
import { tagsIn, textIn } from '../http/pages/reading.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const code = 'abcd-ef01'
const browser = { accept: 'text/html' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }

const app: NewApp = {
  app_id: '7',
  name: 'build-service',
  html_url: 'https://github.com/apps/build-service',
  private_key: 'the private key',
  webhook_secret: 'the webhook secret',
  client_id: 'the client',
  client_secret: 'the client secret',
}

let ctx: TestContext
let adopted: NewApp[]
let converted: string[]
let failure: CodehostError | undefined
/** Called with each conversion, which waits for it. */
let meeting: () => Promise<void>
let call: ReturnType<typeof caller>

async function open(given: TestContext, manifest = true) {
  const registration: Registration = {
    code,
    manifest: () =>
      manifest
        ? appManifest({ url: given.site.url, webhookUrl: `${given.site.url}/webhooks/codehost` })
        : undefined,
    async convert(text) {
      converted.push(text)
      await meeting()
      if (failure) throw failure
      return app
    },
    adopt: async (registered) => void adopted.push(registered),
  }
  return caller(await createServer({ ...given, registration }))
}

beforeEach(async () => {
  adopted = []
  converted = []
  failure = undefined
  meeting = async () => {}
  ctx = testContext(db)
  call = await open(ctx)
})

const registered = () => db.selectFrom('registered_apps').select('app_id').execute()

async function begin(given: Record<string, string> = { code }) {
  const answer = await call('POST /setup/app', form, new URLSearchParams(given).toString())
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';', 1)
  const action = tagsIn(answer.body).find(({ name }) => name === 'form')?.attributes.action ?? ''
  const state = URL.canParse(action) ? (new URL(action).searchParams.get('state') ?? '') : ''
  return { answer, cookie, action, state }
}

const goBack = (query: Record<string, string>, cookie?: string) =>
  call(`GET /setup/callback?${new URLSearchParams(query)}`, {
    ...browser,
    ...(cookie === undefined ? {} : { cookie }),
  })

test('anyone with the setup code can register the app, once', async () => {
  const { answer, cookie, action, state } = await begin({ code: ` ${code.toUpperCase()} ` })
  expect(answer.statusCode).toBe(200)
  expect(action).toMatch(/^https:\/\/github\.com\/settings\/apps\/new\?state=/)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(answer.headers['content-security-policy']).toContain('form-action https://github.com;')
  const done = await goBack({ code: 'from-the-code-host', state }, cookie)
  expect([done.statusCode, done.headers.location]).toEqual([302, '/setup'])
  expect({ adopted, rows: await registered() }).toEqual({ adopted: [app], rows: [{ app_id: '7' }] })

  const again = await goBack({ code: 'from-the-code-host', state }, cookie)
  expect([again.statusCode, textIn(again.body)]).toEqual([
    200,
    expect.stringContaining('The app is set up'),
  ])
  expect(converted).toEqual(['from-the-code-host'])
})

test('the app returns to a service below a path', async () => {
  call = await open(prefixed(ctx))
  const opened = await call('GET /ci/setup', browser)
  expect(tagsIn(opened.body).find(({ name }) => name === 'form')?.attributes.action).toBe(
    '/ci/setup/app',
  )
  const sent = await call('POST /ci/setup/app', form, `code=${code}`)
  const field = tagsIn(sent.body).find(({ attributes }) => attributes.name === 'manifest')
  expect(JSON.parse(field?.attributes.value ?? '{}')).toMatchObject({
    hook_attributes: { url: 'https://x.example.org/ci/webhooks/codehost', active: true },
    redirect_url: 'https://x.example.org/ci/setup/callback',
    callback_urls: ['https://x.example.org/ci/auth/handshake'],
    default_permissions: { statuses: 'write' },
    default_events: expect.arrayContaining(['push']),
  })
  expect(String(sent.headers['set-cookie'])).toMatch(/Path=\/ci\/setup; .*HttpOnly.*; Secure/)
})

describe('no app is registered', () => {
  const nothing = (status: number) => ({ status, adopted: [], converted: [], rows: [] })
  const madeBy = async ({ statusCode: status }: { statusCode: number }) => ({
    ...{ status, adopted, converted, rows: await registered() },
  })

  test.each(['', 'abcd-ef02', 'abcd'])('with the wrong setup code %j', async (wrong) => {
    const { answer } = await begin({ code: wrong })
    expect(await madeBy(answer)).toEqual(nothing(403))
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('by guessing setup codes', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 31; guess += 1) {
      statuses.push((await begin({ code: `0000-${guess}` })).answer.statusCode)
    }
    expect(statuses.filter((status) => status === 403)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  test('with an invented state and cookie', async () => {
    expect(
      await madeBy(await goBack({ code: 'x', state: 'a' }, '__Host-service.setup-state=a')),
    ).toEqual(nothing(403))
  })

  test('with a state issued to another browser', async () => {
    const { state } = await begin()
    expect(await madeBy(await goBack({ code: 'x', state }))).toEqual(nothing(403))
    const other = await begin()
    expect(await madeBy(await goBack({ code: 'x', state }, other.cookie))).toEqual(nothing(403))
  })

  test('with a state that is an hour old', async () => {
    const { state, cookie } = await begin()
    ctx.pass(3601)
    expect(await madeBy(await goBack({ code: 'x', state }, cookie))).toEqual(nothing(403))
  })

  test('for an organization name that leads to another address', async () => {
    const { answer, action } = await begin({ code, organization: '../../evil?x=' })
    expect(await madeBy(answer)).toEqual(nothing(403))
    expect(action).toBe('/setup/app')
  })

  test('while the code host cannot reach the service', async () => {
    call = await open(ctx, false)
    const { answer } = await begin()
    expect(await madeBy(answer)).toEqual(nothing(409))
    expect(textIn(answer.body)).toContain('Set PUBLIC_URL')
  })

  test('if the settings name an app already', async () => {
    call = await open(testContext(db, { codehost: memoryCodehost() }))
    const { answer } = await begin()
    expect(textIn(answer.body)).toContain('The app is set up')
    expect(await madeBy(answer)).toEqual(nothing(200))
  })
})

describe('a callback that fails', () => {
  const returnWith = async (given: Record<string, string>) => {
    const { state, cookie } = await begin()
    return goBack({ ...given, state }, cookie)
  }

  test('without a code links back to the setup page', async () => {
    const answer = await returnWith({})
    expect([answer.statusCode, textIn(answer.body)]).toEqual([
      400,
      expect.stringContaining('The code host has not registered the app.'),
    ])
    expect(tagsIn(answer.body)).toContainEqual({ name: 'a', attributes: { href: '/setup' } })
  })

  test('with a used code is refused, with the reason', async () => {
    failure = new CodehostError('the code host responded with 404, Not Found', { kind: 'missing' })
    const answer = await returnWith({ code: 'used' })
    expect([answer.statusCode, textIn(answer.body)]).toEqual([
      400,
      expect.stringContaining('Its code can be used once, within an hour. Start again.'),
    ])
    expect(await registered()).toEqual([])
  })

  test('while the code host is unreachable can be retried with the same address', async () => {
    failure = new CodehostError('the code host cannot be reached', { kind: 'away' })
    const { state, cookie } = await begin()
    const away = await goBack({ code: 'good', state }, cookie)
    expect(away.statusCode).toBe(503)
    const again = tagsIn(away.body).find(({ attributes: { href = '' } }) => href.includes('state='))
    failure = undefined
    const answer = await call(`GET ${again?.attributes.href}`, { ...browser, cookie })
    expect([answer.statusCode, await registered()]).toEqual([302, [{ app_id: '7' }]])
  })

  test('twice at once registers one app', async () => {
    const { state, cookie } = await begin()
    meeting = () => vi.waitFor(() => expect(converted).toHaveLength(2))
    const answers = await Promise.all(
      ['one', 'two'].map((given) => goBack({ code: given, state }, cookie)),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([302, 409]))
    expect({ adopted, rows: await registered() }).toEqual({
      adopted: [app],
      rows: [{ app_id: '7' }],
    })
  })
})
