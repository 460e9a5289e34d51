import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))
const tokens: Record<string, string> = {}

// Repository 1 is public and has the caches, 2 is private.
beforeAll(async () => {
  const open = await make.repository({ owner_name: 'acme', name: 'web' })
  const hidden = await make.repository({ owner_name: 'acme', name: 'safe', private: true })
  for (const role of ['pull', 'push'] as const) {
    const user = await make.user(role)
    tokens[role] = user.token
    await make.permission(user, open, role)
    await make.permission(user, hidden, role)
  }
  tokens.other = (await make.user('other')).token
  tokens.invalid = 'wrong'
})

beforeEach(async () => {
  await db.deleteFrom('caches').execute()
  await db.deleteFrom('audit_records').execute()
  const rows = [
    ['main', 'cache--rvm-3.2'],
    ['main', 'cache--jdk-21'],
    ['dev/a', 'cache--rvm-3.2'],
  ].map(([branch = '', slug = '']) => ({
    repository_id: 1,
    branch,
    slug,
    object_key: `1/${branch}/${slug}`,
    size: 103_677_795,
    last_modified: new Date('2026-01-02T12:00:00Z'),
  }))
  await db.insertInto('caches').values(rows).execute()
})

const cache = (branch: string, slug: string) => ({
  repository_id: 1,
  size: 103_677_795,
  slug,
  branch,
  last_modified: '2026-01-02T12:00:00Z',
})
const dev = cache('dev/a', 'cache--rvm-3.2')
const jdk = cache('main', 'cache--jdk-21')
const rvm = cache('main', 'cache--rvm-3.2')

const as = (who: string) => ({ token: tokens[who] })

describe.each(['GET', 'DELETE'])('%s /repos/{repository}/caches', (method) => {
  test.each([
    ['/repos/1/caches', [dev, jdk, rvm]],
    ['/repos/1/caches/', [dev, jdk, rvm]],
    ['/repos/acme/web/caches', [dev, jdk, rvm]],
    ['/repos/acme%2Fweb/caches', [dev, jdk, rvm]],
    ['/repos/1/caches?branch=main', [jdk, rvm]],
    ['/repos/1/caches?branch=dev%2Fa', [dev]],
    ['/repos/1/caches?branch=mai', []],
    ['/repos/1/caches?branch=', []],
    ['/repos/1/caches?match=rvm', [dev, rvm]],
    ['/repos/1/caches?match=RVM', []],
    ['/repos/1/caches?match=%25', []],
    ['/repos/1/caches?match=rvm&branch=main', [rvm]],
    ['/repos/1/caches?match=%00', []],
    ['/repos/1/caches?branch=main%00', []],
    ['/repos/2/caches', []],
  ])('%s returns the matching caches', async (path, caches) => {
    expect(await call(`${method} ${path}`, as('push'))).toEqual({ status: 200, body: { caches } })
  })

  test.each([
    ['/repos/1/caches', 'pull', 403, {}],
    ['/repos/1/caches', 'other', 403, {}],
    ['/repos/1/caches', 'no one', 401, 'no access token supplied'],
    ['/repos/1/caches', 'invalid', 403, 'access denied'],
    ['/repos/2/caches', 'pull', 403, {}],
    ['/repos/2/caches', 'other', 404, { file: 'not found' }],
    ['/repos/2/caches', 'no one', 401, 'no access token supplied'],
    ['/repos/2/caches', 'invalid', 403, 'access denied'],
    ['/repos/9/caches', 'push', 404, { file: 'not found' }],
    ['/repos/9/caches', 'no one', 401, 'no access token supplied'],
    ['/repos/-1/caches', 'push', 404, { file: 'not found' }],
    ['/repos/99999999999999999999/caches', 'push', 404, { file: 'not found' }],
    ['/repos/acme/none/caches', 'push', 404, { file: 'not found' }],
    ['/repos/acme/w%00b/caches', 'push', 404, { file: 'not found' }],
  ])('%s requested by %s is %d', async (path, who, status, body) => {
    expect(await call(`${method} ${path}`, as(who))).toEqual({ status, body })
    expect(await db.selectFrom('caches').select('id').execute()).toHaveLength(3)
  })
})

test('DELETE leaves the caches that do not match, and records the caches that it deleted', async () => {
  await call('DELETE /repos/1/caches?match=rvm', as('push'))
  expect(await call('GET /repos/1/caches', as('push'))).toEqual({
    status: 200,
    body: { caches: [jdk] },
  })
  const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
  expect(records).toMatchObject([
    {
      actor: 'push',
      action: 'delete_caches',
      subject_type: 'repository',
      subject_id: 1,
      details: {
        changed: {
          caches: [
            { branch: 'dev/a', slug: 'cache--rvm-3.2' },
            { branch: 'main', slug: 'cache--rvm-3.2' },
          ],
        },
      },
    },
  ])
})

test('DELETE that deletes nothing leaves no record', async () => {
  await call('DELETE /repos/1/caches?match=none', as('push'))
  expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toEqual([])
})

test('DELETE needs a token with the scope for settings', async () => {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('login', '=', 'push')
    .executeTakeFirstOrThrow()
  const token = await make.token(user, ['public', 'private', 'read'])
  expect(await call('DELETE /repos/1/caches', { token })).toEqual({
    status: 403,
    body: 'insufficient access',
  })
  expect(await call('GET /repos/1/caches', { token })).toMatchObject({ status: 200 })
})
