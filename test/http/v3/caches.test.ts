import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited } from '../v2/roles.ts'
import { callerOf, forms, refusals, refused, rowCounts, webToPushers } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>

// Repository 1 has two caches of its main branch and one of another, repository 2 has one.
beforeEach(async () => {
  call = await callerOf(server, db)
  for (const [repository_id, branch, slug] of [
    [1, 'main', 'linux-node'],
    [1, 'main', 'linux-ruby'],
    [1, 'next', 'linux-node'],
    [2, 'main', 'linux-node'],
  ] as const) {
    const object_key = `caches/${repository_id}/${branch}/${slug}.tgz`
    const row = { repository_id, branch, slug, object_key, size: 7, last_modified: noon }
    await db.insertInto('caches').values(row).execute()
  }
})

const shown = (branch: string, name: string) => ({
  '@type': 'cache',
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  repository_id: 1,
  size: 7,
  name: `${name}.tgz`,
  branch,
  last_modified: '2026-01-02T12:00:00Z',
  repo: webToPushers,
})
const node = shown('main', 'linux-node')
const ruby = shown('main', 'linux-ruby')
const next = shown('next', 'linux-node')

const list = (caches: object[], members: object = {}) => ({
  '@type': 'caches',
  ...members,
  '@representation': 'standard',
  caches,
})

test.each(forms)('the caches at %s are listed by branch and name', async (form) => {
  const path = `${form}/caches`
  expect(await call('pusher', `GET ${path}`)).toEqual([
    200,
    list([node, ruby, next], { '@href': path }),
  ])
})

test.each([
  ['branch=main', [node, ruby], [next]],
  ['match=node', [node, next], [ruby]],
  ['branch=main&match=node', [node], [ruby, next]],
  ['branch=%00', [], [node, ruby, next]],
  ['branch=none', [], [node, ruby, next]],
  ['caches.branch=main', [node, ruby], [next]],
  ['cache.match=none', [], [node, ruby, next]],
  ['caches[match]=node', [node, next], [ruby]],
  ['match=node.tgz', [node, next], [ruby]],
  ['match=linux-ruby.tgz', [ruby], [node, next]],
  ['match=main', [], [node, ruby, next]],
  ['branch=', [], [node, ruby, next]],
])('?%s selects the caches that are listed or deleted', async (query, selected, left) => {
  const href = `/repo/1/caches?${query}`
  expect(await call('pusher', `GET ${href}`)).toEqual([200, list(selected, { '@href': href })])
  expect(await call('pusher', `DELETE ${href}`)).toEqual([200, list(selected)])
  expect(await call('pusher', 'GET /repo/1/caches')).toMatchObject([200, { caches: left }])
  expect(await rowCounts(db)).toMatchObject({ caches: left.length + 1 })
  expect(await audited(db)).toHaveLength(selected.length > 0 ? 1 : 0)
})

test('a list instead of one branch is refused, so that no other caches are deleted than intended', async () => {
  const answer = refused('wrong_params', 400, 'branch must be one text')
  expect(await call('pusher', 'DELETE /repo/1/caches?branch[]=main')).toEqual(answer)
  expect(await rowCounts(db)).toMatchObject({ caches: 4 })
})

test.each(refusals)('%s can neither list nor delete caches', async (who, ...answers) => {
  const asked = (method: string) =>
    Promise.all([1, 2, 9].map((id) => call(who, `${method} /repo/${id}/caches`)))
  expect(await asked('DELETE')).toEqual(answers)
  // The right to see them has a name of its own.
  const named = JSON.stringify(answers).replaceAll(/write access|"permission":"write"/g, (text) =>
    text.replace('write', 'cache_view'),
  )
  expect(await asked('GET')).toEqual(JSON.parse(named))
  expect(await rowCounts(db)).toMatchObject({ caches: 4, audit_records: 0 })
})
