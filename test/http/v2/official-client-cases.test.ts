import { beforeAll, describe, expect, test } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import {
  alice,
  client,
  commit,
  db,
  expectRepository,
  make,
  ok,
  repo,
  useClient,
} from './official-client.ts'

useClient()

// Cases in which the official client is seldom seen; see `official-client.ts`.

let repository: Repository
let build: Build
beforeAll(async () => {
  repository = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
  build = await db.selectFrom('builds').selectAll().executeTakeFirstOrThrow()
})

const v3 = { 'service-api-version': '3' }
const restarted = (type: string) => ({
  status: 202,
  body: { result: true, flash: [{ notice: `The ${type} was successfully restarted.` }] },
})

test('report', async () => {
  expect(await client('GET /users/')).toMatchObject(ok({ user: { login: 'alice' } }))
})

describe('tokens', () => {
  test('regenerate-token, whose body is JSON', async () => {
    const token = await make.token(alice)
    const sent = { token, headers: v3, body: JSON.stringify({ token }) }
    const renewed = await client('PATCH /access_token', sent)
    expect(renewed).toMatchObject(ok({ token: expect.stringMatching(/^bsvc_\w{32}$/) as string }))
    expect(await client('GET /users/', { token })).toEqual({ status: 403, body: 'access denied' })
    const { token: next } = renewed.body as { token: string }
    expect(await client('GET /users/', { token: next })).toMatchObject({ status: 200 })
  })

  test('remove-token', async () => {
    const token = await make.token(alice)
    const removed = await client('DELETE /access_token', { token, headers: v3, body: '' })
    expect(removed).toEqual({ status: 204, body: '' })
    expect(await client('GET /users/', { token })).toMatchObject({ status: 403 })
  })
})

test('logs, of a running job', async () => {
  const job = await make.job({ build, number: '7.3', state: 'started' })
  const part = { log_id: job.id, attempt: job.attempt, final: false }
  await db
    .insertInto('log_parts')
    .values([
      { ...part, number: 1, content: 'hello\n' },
      { ...part, number: 2, content: 'wor' },
    ])
    .execute()
  const json = 'application/json; version=2'
  const accept = `application/json; chunked=true; version=2, ${json}`
  expect(await client(`GET /logs/${job.id}`, { accept })).toMatchObject(
    ok({
      log: {
        id: job.id,
        job_id: job.id,
        parts: [
          { number: 1, content: 'hello\n', final: false },
          { number: 2, content: 'wor', final: false },
        ],
      },
    }),
  )
  await db.deleteFrom('jobs').where('id', '=', job.id).execute()
})

test('enable, of a repository that is unknown before a sync', async () => {
  const missing = { status: 404, body: { file: 'not found' } }
  expect(await client('GET /repos/acme/new')).toEqual(missing)
  expect(await client('GET /users/')).toMatchObject(ok({ user: { is_syncing: false } }))
  expect(await client('POST /users/sync', { body: '' })).toEqual(ok({ result: true }))
  const polled = () => client(`GET /users/${alice.id}`)
  expect(await polled()).toMatchObject(ok({ user: { is_syncing: true } }))
  const { owner_id, owner_type, owner_name } = repository
  const found = { owner_id, owner_type, owner_name, name: 'new', active: false }
  const { id } = await make.repository(found)
  await make.permission(alice, { id }, 'admin')
  await db.updateTable('users').set({ is_syncing: false }).execute()
  expect(await polled()).toMatchObject(ok({ user: { is_syncing: false } }))
  expect(await client('GET /repos/acme/new')).toMatchObject(ok({ repo: { id, active: false } }))
  expect(await client('GET /users/permissions')).toMatchObject(ok({ admin: [1, id] }))
  const body = `hook%5Bactive%5D=true&hook%5Bid%5D=${id}`
  expect(await client('PUT /hooks/', { body })).toEqual(ok({ result: true }))
  expect(await client('GET /repos/acme/new')).toMatchObject(ok({ repo: { id, active: true } }))
})

test('requests, with their commits and pull requests', async () => {
  await expectRepository()
  const pull = await make.pullRequest(repository, { number: 12, title: 'Greet louder' })
  await db
    .updateTable('requests')
    .set({ commit_id: build.commit_id, pull_request_id: pull.id, event_type: 'pull_request' })
    .where('id', '=', build.request_id)
    .execute()
  expect(await client('GET /requests/?repository_id=1')).toMatchObject(
    ok({
      requests: [
        {
          id: 1,
          commit_id: 1,
          event_type: 'pull_request',
          result: 'accepted',
          message: null,
          branch: 'main',
          tag: null,
          pull_request: true,
          pull_request_number: 12,
          pull_request_title: 'Greet louder',
          build_id: 1,
        },
      ],
      commits: [commit],
    }),
  )
})

test('branches, without pull requests', async () => {
  await expectRepository()
  expect(await client('GET /branches?repository_id=1')).toMatchObject(
    ok({
      branches: [
        {
          number: '7',
          state: 'passed',
          commit_id: 1,
          pull_request: false,
          pull_request_number: null,
          pull_request_title: null,
        },
      ],
      commits: [commit],
    }),
  )
})

describe('restart and cancel, by the number of a build', () => {
  const numbered = async (state: string) => {
    expect(await client('GET /repos/acme/web')).toMatchObject(ok({ repo: { id: repo.id } }))
    for (const named of ['repository_id=1', 'slug=acme%2Fweb']) {
      expect(await client(`GET /builds/?number=7&${named}`)).toMatchObject(
        ok({ builds: [{ id: 1, number: '7', state, job_ids: [1, 2] }] }),
      )
    }
  }

  test('of the whole build', async () => {
    await numbered('passed')
    expect(await client('POST /builds/1/restart', { body: '' })).toEqual(restarted('build'))
    expect(await client('GET /builds/1')).toMatchObject(ok({ build: { state: 'created' } }))
    await numbered('created')
    expect(await client('POST /builds/1/cancel', { body: '' })).toEqual({ status: 204, body: '' })
    expect(await client('GET /builds/1')).toMatchObject(ok({ build: { state: 'canceled' } }))
  })

  test('of one of its jobs', async () => {
    await numbered('canceled')
    expect(await client('GET /jobs/2')).toMatchObject(ok({ job: { number: '7.2' } }))
    expect(await client('POST /jobs/2/restart', { body: '' })).toEqual(restarted('job'))
    expect(await client('GET /jobs/2')).toMatchObject(ok({ job: { state: 'created' } }))
    expect(await client('POST /jobs/2/cancel', { body: '' })).toEqual({ status: 204, body: '' })
    expect(await client('GET /jobs/2')).toMatchObject(ok({ job: { state: 'canceled' } }))
  })
})
