// A user who is no longer in the settings cannot log in, and their earlier sessions and tokens end.
import { beforeEach, expect, test } from 'vitest'
import { syncUser } from '../../src/flow/people/sync-user.ts'
import { loginScene, type Visitor } from '../http/login-scene.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const { ctx, host, logIn, server, visitor } = await loginScene(db)
const settings = { ...ctx.config }

let browser: Visitor
let token: string
beforeEach(async () => {
  Object.assign(ctx.config, settings)
  browser = visitor()
  await logIn(browser)
  const made = await browser.submit('/profile', '/profile/tokens', { name: 'a' })
  token = /bsvc_\w{32}/.exec(made.body)?.[0] ?? ''
})

/** The status codes of calls with the session, the token, its exchange, and a login with it. */
async function statuses(): Promise<number[]> {
  const exchanged = await server.inject({
    method: 'POST',
    url: '/auth/codehost',
    payload: { codehost_token: token },
  })
  const headers = { authorization: `token ${token}` }
  const called = await server.inject({ url: '/users', headers })
  const page = await browser.get('/profile')
  const entered = await visitor().submit('/auth/handshake/local', '/auth/handshake', {
    codehost_token: token,
  })
  return [page, called, exchanged, entered].map(({ statusCode }) => statusCode)
}

const sync = async () => {
  const { id } = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  await syncUser(ctx, id)
}

test('without lists all sessions and tokens work', async () => {
  expect(await statuses()).toEqual([200, 200, 200, 302])
})

test.each([
  ['among those who can log in', { allowedLogins: ['codehost:octavia'] }],
  ['among the administrators', { admins: ['codehost:octavia'], allowedLogins: ['codehost:ada'] }],
])('sessions and tokens also work for a user who is listed %s', async (_how, changes) => {
  Object.assign(ctx.config, changes)
  await sync()
  expect(await statuses()).toEqual([200, 200, 200, 302])
})

test('taking a login off the list ends all sessions and tokens immediately', async () => {
  Object.assign(ctx.config, { allowedLogins: ['codehost:ada'] })
  expect(await statuses()).toEqual([401, 403, 403, 403])
})

test('leaving a listed organization ends all sessions and tokens with the next sync', async () => {
  const acme = host.addOrganization({ login: 'Acme', members: { octavia: 'member' } })
  const lists = { allowedLogins: ['codehost:ada'], allowedOrganizations: ['codehost:acme'] }
  Object.assign(ctx.config, lists)
  await sync()
  expect(await statuses()).toEqual([200, 200, 200, 302])
  await host.setMember(acme, 'octavia', null)
  await db.updateTable('users').set({ is_syncing: true }).execute()
  await sync()
  expect(await statuses()).toEqual([401, 403, 403, 403])
})

test('a withdrawn authorization ends all sessions and tokens if organizations must be checked', async () => {
  Object.assign(ctx.config, { allowedOrganizations: ['codehost:acme'] })
  await db.deleteFrom('codehost_tokens').execute()
  await sync()
  expect(await statuses()).toEqual([401, 403, 403, 403])
})

test('a token of a repository still works, because it belongs to no user', async () => {
  const repository = await make.repository({ name: 'kept', private: true })
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  await make.permission(user, repository, 'admin')
  const all = await make.token(user)
  const headers = { authorization: `token ${all}`, 'service-api-version': '3' }
  const url = `/repo/${repository.id}/tokens?name=deploy`
  const made = await server.inject({ method: 'POST', url, headers })
  expect(made.statusCode).toBe(201)
  Object.assign(ctx.config, { allowedLogins: ['codehost:ada'] })
  const own = { ...headers, authorization: `token ${made.json<{ token: string }>().token}` }
  const read = await server.inject({ url: `/repo/${repository.id}`, headers: own })
  expect(read.statusCode).toBe(200)
})

test('a link to a log that such a session created no longer works', async () => {
  const repository = await make.repository({ name: 'kept', private: true })
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  await make.permission(user, repository, 'pull')
  const job = await make.job({ build: await make.build({ repository }), state: 'passed' })
  await make.log(job, 'hello\n')
  const authorization = `token ${await make.token(user)}`
  const headers = { authorization, 'service-api-version': '3' }
  const shown = await server.inject({ url: `/job/${job.id}/log`, headers })
  const { '@raw_log_href': link } = shown.json<{ '@raw_log_href': string }>()
  expect((await server.inject({ url: link })).body).toBe('hello\n')
  Object.assign(ctx.config, { allowedLogins: ['codehost:ada'] })
  expect((await server.inject({ url: link })).statusCode).toBe(404)
})
