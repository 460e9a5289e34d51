import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { requestedSyncs } from '../../../src/store/installations/installation-syncs.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  audited,
  badIds,
  clientOf,
  fileMissing,
  makeRoles,
  noLogin,
  type Role,
  wrongToken,
} from './roles.ts'

const db = await testDatabase()
const ctx = testContext(db)
// Key pairs are made in the background, where they could outlast a test.
const server = await createServer({ ...ctx, newKeyPair: () => new Promise(() => {}) })
const making = await createServer(ctx)
const newKeyPair = () => Promise.reject(new Error('no key pair today'))
const keyless = await createServer({ ...ctx, newKeyPair })

let call: ReturnType<typeof clientOf>
let keylessCall: ReturnType<typeof clientOf>
let makingCall: ReturnType<typeof clientOf>
beforeEach(async () => {
  const tokens = await makeRoles(db)
  call = clientOf(server, tokens)
  keylessCall = clientOf(keyless, tokens)
  makingCall = clientOf(making, tokens)
})

const done = [200, { result: true }] as const

async function setActive(active: boolean): Promise<void> {
  await db.updateTable('repositories').set({ active }).execute()
}

async function isActive(id = 1): Promise<boolean> {
  const { active } = await db
    .selectFrom('repositories')
    .select('active')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return active
}

const json = 'application/json'

describe('PUT /hooks', () => {
  test.each<[string, string | object | undefined, string | undefined]>([
    ['/hooks/', 'hook[active]=true&hook[id]=1', undefined],
    ['/hooks', 'hook%5Bactive%5D=true&hook%5Bid%5D=1', undefined],
    ['/hooks?hook[active]=true&hook[id]=1', undefined, undefined],
    ['/hooks', { hook: { id: 1, active: true } }, json],
    ['/hooks', { hook: { id: '1', active: 'true' } }, json],
    ['/hooks/1', 'hook[active]=true', undefined],
    ['/hooks/1/', { hook: { active: true } }, json],
    ['/hooks/1', { hook: { active: true, id: 2 } }, json],
  ])('%s with %j activates the repository', async (path, body, type) => {
    await setActive(false)
    expect(await call('admin', `PUT ${path}`, body, type)).toEqual(done)
    expect([await isActive(1), await isActive(2)]).toEqual([true, false])
  })

  test('syncs the installation of an activated repository once', async () => {
    await setActive(false)
    const { owner_id, owner_type } = await db
      .selectFrom('repositories')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const { codehost_id } = await factories(db).installation({ owner_id, owner_type })
    ctx.enqueued.length = 0
    await call('admin', 'PUT /hooks/1', 'hook[active]=true')
    const entry = { name: 'installation.sync', payload: { installation: codehost_id } }
    expect(ctx.enqueued).toEqual([entry])
    // Found again if the entry is lost.
    expect(await requestedSyncs(db, 0)).toEqual([codehost_id])
    await call('admin', 'PUT /hooks/1', 'hook[active]=true')
    await call('admin', 'PUT /hooks/1', 'hook[active]=false')
    expect(ctx.enqueued).toEqual([entry])
  })

  test.each<[string, string | object | undefined, string | undefined]>([
    ['/hooks/', 'hook[active]=false&hook[id]=1', undefined],
    ['/hooks', 'hook[id]=1', undefined],
    ['/hooks/1', undefined, undefined],
    ['/hooks/1', '', undefined],
    ['/hooks/1', '', json],
    ['/hooks/1', {}, json],
    ['/hooks/1', { hook: 3 }, json],
    ['/hooks/1', { hook: { active: 1 } }, json],
    ['/hooks/1', { hook: { active: 'yes' } }, json],
    ['/hooks/1', { hook: { active: null } }, json],
  ])('%s with %j deactivates the repository', async (path, body, type) => {
    expect(await call('admin', `PUT ${path}`, body, type)).toEqual(done)
    expect([await isActive(1), await isActive(2)]).toEqual([false, true])
  })

  test.each<[string, string | object | undefined, string | undefined]>([
    ['/hooks', undefined, undefined],
    ['/hooks', 'hook[active]=true', undefined],
    ['/hooks', 'hook[active]=true&hook[id]=', undefined],
    ['/hooks', 'hook[active]=true&hook[id][]=1', undefined],
    ['/hooks', { hook: { id: 1.5, active: true } }, json],
    ['/hooks', { hook: { id: 1e21, active: true } }, json],
    ['/hooks', { hook: { id: null, active: true } }, json],
    ['/hooks', { hook: { id: { a: 1 }, active: true } }, json],
    ['/hooks', { hook: { id: 7, active: true } }, json],
    ...badIds.map((id) => [`/hooks/${id}`, undefined, undefined] as [string, undefined, undefined]),
  ])('%s with %j finds no repository', async (path, body, type) => {
    expect(await call('admin', `PUT ${path}`, body, type)).toEqual(fileMissing)
    expect(await isActive()).toBe(true)
  })

  test('malformed JSON changes nothing', async () => {
    expect(await call('admin', 'PUT /hooks/1', '{"hook"', json)).toEqual([
      400,
      { error: 'Failed to parse body as JSON' },
    ])
    expect(await isActive()).toBe(true)
  })

  const forbidden = [
    403,
    { error: { message: "You don't have access to change hook(1)" } },
  ] as const
  const forbiddenToo = [
    403,
    { error: { message: "You don't have access to change hook(2)" } },
  ] as const

  test.each<[Role, readonly unknown[], readonly unknown[]]>([
    ['admin', done, done],
    ['pusher', forbidden, forbiddenToo],
    ['reader', forbidden, forbiddenToo],
    ['other', forbidden, fileMissing],
    ['no one', noLogin, noLogin],
    ['wrong', wrongToken, wrongToken],
  ])(
    'responds to %s according to the role, for a public and a private repository',
    async (who, open, closed) => {
      expect(await call(who, 'PUT /hooks/1')).toEqual(open)
      expect(await call(who, 'PUT /hooks', 'hook[id]=1')).toEqual(open)
      expect(await call(who, 'PUT /hooks/2')).toEqual(closed)
      expect(await call(who, 'PUT /hooks', 'hook[id]=2')).toEqual(closed)
      expect([await isActive(1), await isActive(2)]).toEqual(
        who === 'admin' ? [false, false] : [true, true],
      )
    },
  )

  test('leaves a record when it changes something', async () => {
    await call('admin', 'PUT /hooks/1', 'hook[active]=true')
    await call('admin', 'PUT /hooks/1')
    await call('admin', 'PUT /hooks/1')
    await call('admin', 'PUT /hooks/1', 'hook[active]=true')
    const record = {
      actor: 'admin',
      subject: 'repository 1',
      changed: {},
      address: '127.0.0.1',
      byToken: true,
    }
    expect(await audited(db)).toEqual([
      { ...record, action: 'deactivate' },
      { ...record, action: 'activate' },
    ])
  })

  test('changes a repository once if several calls request the same', async () => {
    await setActive(false)
    await Promise.all([1, 2, 3, 4, 5].map(() => call('admin', 'PUT /hooks/1', 'hook[active]=true')))
    expect(await isActive()).toBe(true)
    expect((await audited(db)).map(({ action }) => action)).toEqual(['activate'])
  })
})

describe('an activated repository', () => {
  const keys = () => db.selectFrom('key_pairs').select('repository_id').execute()

  test('gets a key pair, and keeps it', async () => {
    await makingCall('admin', 'PUT /hooks/1')
    expect(await keys()).toEqual([])
    await makingCall('admin', 'PUT /hooks/1', 'hook[active]=true')
    await expect.poll(keys).toEqual([{ repository_id: 1 }])
    const before = await makingCall('no one', 'GET /repos/1/key')
    await makingCall('admin', 'PUT /hooks/1', 'hook[active]=true')
    expect(await makingCall('no one', 'GET /repos/1/key')).toEqual(before)
  })

  test('does not wait for its key pair', async () => {
    await setActive(false)
    expect(await call('admin', 'PUT /hooks/1', 'hook[active]=true')).toEqual(done)
    expect(await isActive()).toBe(true)
    expect(await keys()).toEqual([])
  })

  test('is active even if no key pair can be made', async () => {
    await setActive(false)
    expect(await keylessCall('admin', 'PUT /hooks/1', 'hook[active]=true')).toEqual(done)
    expect(await isActive()).toBe(true)
  })
})
