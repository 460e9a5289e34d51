import { beforeEach, expect, test } from 'vitest'
import { syncUser } from '../../../src/flow/people/sync-user.ts'
import { beginUserSync } from '../../../src/store/people/user-syncs.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { appScene } from '../app-scene.ts'

const db = await testDatabase()
const make = factories(db)
const { ctx, host, server, tokenOf } = await appScene(db)

let token: string
beforeEach(async () => {
  await host.addRepository()
  token = await tokenOf('octavia')
  await sync()
})

async function sync(): Promise<void> {
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await beginUserSync(db, id)
  await syncUser(ctx, id)
}

/** What the API says of whether the code host's token of a caller works. */
async function shown(as = token): Promise<boolean> {
  const answer = await server.inject({ url: '/users', headers: { authorization: `token ${as}` } })
  return answer.json<{ user: { correct_scopes: boolean } }>().user.correct_scopes
}

test('a working code host token has the correct scopes', async () => {
  expect(await shown()).toBe(true)
})

test('a token that the code host has refused lacks scopes until its user logs in again', async () => {
  host.tables.tokens = host.tables.tokens.filter(({ kind }) => kind !== 'user')
  ctx.pass(600)
  await sync()
  expect(await shown()).toBe(false)
  await tokenOf('octavia')
  expect(await shown()).toBe(true)
})

test('a refused token has no effect for a user who exchanges a working token', async () => {
  host.tables.tokens = host.tables.tokens.filter(({ kind }) => kind !== 'user')
  ctx.pass(600)
  await sync()
  const scopes = ['repo', 'read:org', 'user:email']
  const answer = await server.inject({
    method: 'POST',
    url: '/auth/codehost',
    headers: { 'content-type': 'application/json' },
    payload: { codehost_token: host.personalToken('octavia', scopes) },
  })
  expect(await shown(answer.json<{ access_token: string }>().access_token)).toBe(true)
})

test('a token that cannot be refreshed lacks scopes', async () => {
  host.tables.tokens = host.tables.tokens.filter(({ kind }) => kind !== 'user')
  ctx.pass(9 * 3600)
  await sync()
  expect(await shown()).toBe(false)
})

test('users without a code host token lack no scopes', async () => {
  expect(await shown((await make.user()).token)).toBe(true)
})
