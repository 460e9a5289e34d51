import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { sweepAgain } from '../../../src/flow/upkeep/sweep.ts'
import { createServer } from '../../../src/http/server.ts'
import { age } from '../../support/age.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'
import { hiddenIn, type Visitor, visitorOf } from '../login-scene.ts'
import { tagsIn, textIn } from './reading.ts'

const db = await testDatabase()
const make = factories(db)

const page = '/octavia/hello'

let browser: Visitor
let repository: Repository
let ctx: ReturnType<typeof testContext>

beforeEach(async () => {
  ctx = testContext(db, { codehost: memoryCodehost() })
  repository = await make.repository({ name: 'hello' })
  const anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  browser = visitorOf(await createServer(ctx))
  await browser.submit('/login', '/auth/handshake', { codehost_token: anna.token })
})

const count = async (table: 'requests' | 'env_vars' | 'tokens') =>
  (await db.selectFrom(table).select('id').execute()).length

/** The key of the form that a page shows, which may be on its button, and the session's token. */
async function keysAt(path: string, action = path) {
  const { body } = await browser.get(path)
  const [start = ''] = body.split(`action="${action}"`).slice(1)
  const keyed = tagsIn(start).find(({ attributes }) => attributes.name === 'form_key')
  const form_key = keyed?.attributes.value ?? ''
  expect(form_key).not.toBe('')
  return { ...hiddenIn(body, action), form_key }
}

describe.each([
  ['requests', `${page}/build_now`, `${page}/build_now`, { kind: 'branch', ref: 'main' }],
  ['env_vars', `${page}/variables`, `${page}/variables`, { name: 'A', value: '1' }],
  ['tokens', '/profile', '/profile/tokens', { name: 'a', scopes: 'read', days: '0' }],
] as const)('the form that adds %s', (table, at, action, fields) => {
  test('adds a single record for two clicks, which get the same response', async () => {
    const before = await count(table)
    const sent = { ...(await keysAt(at, action)), ...fields }
    const [first, second] = await Promise.all([
      browser.post(action, sent),
      browser.post(action, sent),
    ])
    const later = await browser.post(action, sent)

    expect(await count(table)).toBe(before + 1)
    expect(first.statusCode).toBeLessThan(400)
    for (const { statusCode, body, headers } of [second, later]) {
      expect({ statusCode, body }).toEqual({ statusCode: first.statusCode, body: first.body })
      for (const name of ['location', 'set-cookie', 'cache-control', 'content-type']) {
        expect([name, headers[name]]).toEqual([name, first.headers[name]])
      }
    }
  })

  test('adds another record if it is changed or loaded again', async () => {
    const before = await count(table)
    const sent = { ...(await keysAt(at, action)), ...fields }
    await browser.post(action, sent)
    await browser.post(action, {
      ...sent,
      ...(table === 'requests' ? { ref: 'b' } : { name: 'B' }),
    })
    expect(await count(table)).toBe(before + 2)
    const again = { ...sent, ...(await keysAt(at, action)) }
    await browser.post(action, table === 'requests' ? again : { ...again, name: 'C' })
    expect(await count(table)).toBe(before + 3)
  })

  test('is refused for any other user', async () => {
    const sent = { ...(await keysAt(at, action)), ...fields }
    await browser.post(action, sent)
    const before = await count(table)
    browser.cookies.clear()
    const answer = await browser.post(action, sent)
    expect(answer.statusCode).toBe(401)
    expect(await count(table)).toBe(before)
  })
})

test('a refused form can be sent again', async () => {
  const sent = { ...(await keysAt(`${page}/variables`)), name: 'A', value: '1' }
  await db.updateTable('repositories').set({ active: false }).execute()
  await db.updateTable('permissions').set({ push: false }).execute()
  expect((await browser.post(`${page}/variables`, sent)).statusCode).toBe(403)
  await db.updateTable('permissions').set({ push: true }).execute()
  expect((await browser.post(`${page}/variables`, sent)).statusCode).toBe(303)
  expect(await count('env_vars')).toBe(1)
})

test('two clicks in the documentation make one call', async () => {
  const form = '/docs/v3/requests/create'
  const fields = { 'address.repository.slug': 'octavia/hello', 'parameter.request.branch': 'main' }
  const sent = { ...(await keysAt(form, `${form}#try`)), ...fields }
  const [first, second] = await Promise.all([browser.post(form, sent), browser.post(form, sent)])
  expect(await count('requests')).toBe(1)
  expect(textIn(first.body)).toContain('Response: 202')
  expect(second.body).toBe(first.body)
})

test('a call in the documentation that failed can be made again', async () => {
  const form = '/docs/v3/requests/create'
  const fields = { 'address.repository.slug': 'octavia/new', 'parameter.request.branch': 'main' }
  const sent = { ...(await keysAt(form, `${form}#try`)), ...fields }
  expect(textIn((await browser.post(form, sent)).body)).toContain('Response: 404')
  await db.updateTable('repositories').set({ name: 'new' }).execute()
  expect(textIn((await browser.post(form, sent)).body)).toContain('Response: 202')
})

test('two clicks on a restart restart a job once, even if a runner finishes it in between', async () => {
  const build = await make.build({ repository, state: 'failed' })
  const job = await make.job({ build, state: 'failed' })
  const form = `${page}/jobs/${job.id}/restart`
  const sent = await keysAt(`${page}/jobs/${job.id}`, form)
  const first = await browser.post(form, sent)
  await db.updateTable('jobs').set({ state: 'passed', finished_at: noon }).execute()
  const second = await browser.post(form, sent)
  expect([first.statusCode, second.statusCode]).toEqual([303, 303])
  const { state } = await db.selectFrom('jobs').select('state').executeTakeFirstOrThrow()
  expect(state).toBe('passed')
})

test('a form that is sent again after a minute takes effect again', async () => {
  const action = `${page}/settings`
  const sent = { ...(await keysAt(action)), maximum_number_of_builds: '3' }
  const setting = async () => {
    const { body } = await browser.get(action)
    return tagsIn(body).find(({ attributes }) => attributes.name === 'maximum_number_of_builds')
      ?.attributes.value
  }
  expect((await browser.post(action, sent)).statusCode).toBeLessThan(400)
  const other = { ...sent, ...(await keysAt(action)), maximum_number_of_builds: '5' }
  await browser.post(action, other)
  expect(await setting()).toBe('5')
  ctx.pass(59)
  await browser.post(action, sent)
  expect(await setting()).toBe('5')
  ctx.pass(2)
  const answers = await Promise.all([browser.post(action, sent), browser.post(action, sent)])
  expect(answers[1]).toMatchObject({ statusCode: answers[0]?.statusCode, body: answers[0]?.body })
  expect(await setting()).toBe('3')
})

test('the page with a new token is stored only long enough for a second click', async () => {
  const sent = await keysAt('/profile', '/profile/tokens')
  await browser.post('/profile/tokens', { ...sent, name: 'a', scopes: 'read', days: '0' })
  const kept = () => db.selectFrom('idempotent_calls').select('digest').execute()
  await sweepAgain(ctx, null)
  expect(await kept()).toEqual([{ digest: expect.stringMatching(/^form:/) }])
  await age(db, 61)
  await sweepAgain(ctx, null)
  expect(await kept()).toEqual([])
})
