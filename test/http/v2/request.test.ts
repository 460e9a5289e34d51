import type { Insertable } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import type { Tables } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { shownCommit } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

const sha = 'a0265b98'.repeat(5)
const commit = { ...shownCommit, sha }
const accepted = {
  id: 1,
  repository_id: 1,
  commit_id: 1,
  created_at: '2026-01-02T12:00:00Z',
  owner_id: 1,
  owner_type: 'User',
  event_type: 'push',
  base_commit: null,
  head_commit: null,
  result: 'accepted',
  message: null,
  pull_request: false,
  pull_request_number: null,
  pull_request_title: null,
  branch: 'main',
  tag: null,
  build_id: null,
}

async function pushed(): Promise<Repository> {
  const repository = await make.repository({ owner_name: 'octavia', name: 'hello' })
  const { id } = await make.commit(repository, { sha })
  await make.request({ repository, commit_id: id })
  return repository
}

async function made({ id, owner_id, owner_type }: Repository, times: number): Promise<void> {
  const row: Insertable<Tables['requests']> = {
    repository_id: id,
    owner_id,
    owner_type,
    private: false,
    event_type: 'push',
    state: 'finished',
    result: 'accepted',
    finished_at: noon,
  }
  await db
    .insertInto('requests')
    .values(Array.from({ length: times }, () => row))
    .execute()
}

function idsIn(body: unknown): number[] {
  return (body as { requests: { id: number }[] }).requests.map(({ id }) => id)
}

describe('GET /requests/{id}', () => {
  test('returns the request with its commit', async () => {
    await pushed()
    expect(await call('GET /requests/1')).toEqual({
      status: 200,
      body: { request: accepted, commit },
    })
  })

  test('shows the id of its build', async () => {
    const { id } = await make.build()
    expect(await call('GET /requests/1')).toMatchObject({ body: { request: { build_id: id } } })
  })

  test('reports the pull request, with the number as a number, and why there is no build', async () => {
    const repository = await make.repository()
    const pull = await make.pullRequest(repository, { number: 12, title: 'Greet louder' })
    await make.request({
      repository,
      event_type: 'pull_request',
      pull_request_id: pull.id,
      base_commit: 'b'.repeat(40),
      head_commit: 'c'.repeat(40),
      result: 'rejected',
      reason: 'no_merge_commit',
      message: 'cannot be merged',
    })
    expect(await call('GET /requests/1')).toEqual({
      status: 200,
      body: {
        request: {
          ...accepted,
          commit_id: null,
          branch: null,
          event_type: 'pull_request',
          base_commit: 'b'.repeat(40),
          head_commit: 'c'.repeat(40),
          result: 'rejected',
          message: 'cannot be merged',
          pull_request: true,
          pull_request_number: 12,
          pull_request_title: 'Greet louder',
        },
        commit: null,
      },
    })
  })

  test('leaves out a build that is hidden from the caller, as does a list', async () => {
    const repository = await make.repository()
    const build = await make.build({ repository, private: true })
    await db.updateTable('requests').set({ private: false }).execute()
    const reader = await make.user('reader')
    await make.permission(reader, repository, 'pull')
    const one = `GET /requests/${build.request_id}`
    const list = `GET /requests?repository_id=${repository.id}`
    expect(await call(one)).toMatchObject({ status: 200, body: { request: { build_id: null } } })
    expect(await call(list)).toMatchObject({ body: { requests: [{ build_id: null }] } })
    const { token } = reader
    const shown = { build_id: build.id }
    expect(await call(one, { token })).toMatchObject({ body: { request: shown } })
    expect(await call(list, { token })).toMatchObject({ body: { requests: [shown] } })
  })

  test('has no result while it is undecided', async () => {
    await make.request({ state: 'pending', result: null, finished_at: null })
    expect(await call('GET /requests/1')).toMatchObject({ body: { request: { result: null } } })
  })

  test.each(['2', '0', 'x', '1x', '99999999999999999999'])('finds no request %s', async (id) => {
    await make.request()
    expect(await call(`GET /requests/${id}`)).toEqual({ status: 404, body: { file: 'not found' } })
  })
})

describe('GET /requests', () => {
  test.each([
    'repository_id=1',
    'slug=octavia/hello',
    'slug=Octavia%2FHELLO',
    'repository_id=1&slug=no/such',
  ])('lists the requests of a repository by %s', async (query) => {
    await pushed()
    expect(await call(`GET /requests?${query}`)).toEqual({
      status: 200,
      body: { requests: [accepted], commits: [commit] },
    })
  })

  test('holds the commit of each request at the same position as the request', async () => {
    const repository = await pushed()
    const { id } = await make.commit(repository, { sha: 'a'.repeat(40) })
    await make.request({ repository, commit_id: id })
    await make.request({ repository, commit_id: 1 })
    const { body } = await call('GET /requests?repository_id=1')
    expect(idsIn(body)).toEqual([3, 2, 1])
    expect(body).toMatchObject({ commits: [{ id: 1 }, { id }, { id: 1 }] })
  })

  test.each([
    ['', 25],
    ['&limit=3', 3],
    ['&limit=100', 100],
    ['&limit=250', 100],
    ['&limit=0', 25],
    ['&limit=-1', 25],
    ['&limit=many', 25],
    ['&limit=', 25],
    ['&limit[]=3', 25],
  ])('with "%s" lists at most %d requests', async (query, most) => {
    await made(await make.repository(), 102)
    const { body } = await call(`GET /requests?repository_id=1${query}`)
    const newestFirst = Array.from({ length: most }, (_, index) => 102 - index)
    expect(idsIn(body)).toEqual(newestFirst)
  })

  test.each([
    ['older_than=3', [2, 1]],
    ['older_than=3&limit=1', [2]],
    ['older_than=1', []],
    ['older_than=x', []],
    ['older_than=-5', []],
    ['older_than=99999999999999999999', [4, 3, 2, 1]],
  ])('with %s lists the requests %j', async (query, ids) => {
    await made(await make.repository(), 4)
    expect(idsIn((await call(`GET /requests?repository_id=1&${query}`)).body)).toEqual(ids)
  })

  test('hides requests made in private, and fills the page with others', async () => {
    const repository = await make.repository()
    await made(repository, 2)
    await make.request({ repository, private: true })
    const user = await make.user()
    await make.permission(user, repository, 'pull')

    const path = 'GET /requests?repository_id=1&limit=2'
    expect(idsIn((await call(path)).body)).toEqual([2, 1])
    expect(idsIn((await call(path, { token: user.token })).body)).toEqual([3, 2])
  })

  test.each([
    '',
    '?repository_id=2',
    '?repository_id=x',
    '?repository_id[]=1',
    '?slug=octavia',
    '?slug=octavia/hello/x',
    '?slug[]=octavia/hello',
    '?repository_id=',
  ])('with "%s" finds no repository', async (query) => {
    await pushed()
    expect(await call(`GET /requests${query}`)).toEqual({
      status: 404,
      body: { error: 'Repository could not be found' },
    })
  })
})
