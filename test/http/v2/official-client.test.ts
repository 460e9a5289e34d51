import { describe, expect, test } from 'vitest'
import {
  alice,
  build,
  client,
  commit,
  expectJob,
  expectRepository,
  make,
  ok,
  expectConfig,
  repo,
  time,
  useClient,
} from './official-client.ts'

useClient()

// The calls of the official command-line client, one command a test, with the bodies that it sends and
// each field that it reads.

describe('logging in and out', () => {
  test('login', async () => {
    await expectConfig()
    const body = `codehost_token=${alice.token}`
    expect(await client('POST /auth/codehost', { body, token: null })).toEqual(
      ok({ access_token: expect.stringMatching(/^bsvc_\w{32}$/) }),
    )
  })

  test('login with a wrong token', async () => {
    const answer = await client('POST /auth/codehost', { body: 'codehost_token=x', token: null })
    expect(answer).toEqual({ status: 403, body: 'not a service user' })
  })

  test('logout', async () => {
    const other = await make.token(alice)
    expect(await client('GET /logout', { token: other })).toMatchObject({ status: 200 })
    expect(await client('GET /repos/acme/web', { token: other })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })

  test('the first call of every command', async () => {
    expect(await client('HEAD /', { token: null })).toEqual({ status: 200, body: '' })
  })
})

test('sync', async () => {
  expect(await client('POST /users/sync', { body: '' })).toEqual(ok({ result: true }))
  expect(await client('POST /users/sync', { body: '' })).toEqual({
    status: 409,
    body: { message: 'Sync already in progress. Try again later.' },
  })
})

test('lint', async () => {
  const body = `content=${encodeURIComponent('language: ruby\ngit: {depht: 3}\n')}`
  expect(await client('POST /lint', { body })).toEqual(
    ok({
      lint: {
        warnings: [
          expect.objectContaining({
            key: ['git', 'depht'],
            message: expect.stringContaining('"depht"') as string,
          }),
        ],
      },
    }),
  )
})

test('raw', async () => {
  expect(await client('GET /repos/1')).toEqual(ok({ repo }))
})

test('status', () => expectRepository())

describe('the parts of a build', () => {
  test('its jobs', () => expectJob())

  test('console', async () => {
    expect(await client('GET /builds/1')).toMatchObject(
      ok({ build, commit, jobs: [{ id: 1 }, { id: 2 }], commits: [{ id: 1 }] }),
    )
  })

  test('open', async () => {
    await expectRepository()
    await expectConfig()
  })

  test('requests', async () => {
    await expectRepository()
    expect(await client('GET /requests/?repository_id=1')).toMatchObject(
      ok({
        requests: [
          {
            id: 1,
            repository_id: 1,
            event_type: 'push',
            result: 'accepted',
            message: null,
            branch: 'main',
            tag: null,
            pull_request_number: null,
            created_at: time,
          },
        ],
        commits: [{ id: 1, branch: 'main', pull_request_number: null }],
      }),
    )
  })
})

describe('logs', () => {
  const json = 'application/json; version=2'
  const chunked = `application/json; chunked=true; version=2, ${json}`

  test('of a finished job', async () => {
    await expectRepository()
    await expectJob()
    expect(await client('GET /jobs/1/log', { accept: chunked })).toMatchObject(
      ok({ log: { id: 1, job_id: 1, body: 'hello\nworld\n' } }),
    )
  })

  test('of a job, if text is also accepted', async () => {
    const answer = await client('GET /jobs/1/log', { accept: `${chunked}, text/plain` })
    expect(answer).toMatchObject({ status: 200, body: 'hello\nworld\n' })
  })
})

describe('monitor', () => {
  test('signs the channels of the user', async () => {
    await expectConfig()
    const channel = `private-user-${alice.id}`
    const body = `channels%5B%5D=${channel}&socket_id=123.456`
    expect(await client('POST /streaming/auth', { body })).toEqual(
      ok({ channels: { [channel]: expect.stringMatching(/^[0-9a-f]{20}:[0-9a-f]{64}$/) } }),
    )
  })

  test('signs the channel of a job', async () => {
    const body = 'channels%5B%5D=private-job-1&socket_id=123.456'
    expect(await client('POST /streaming/auth', { body })).toEqual(
      ok({ channels: { 'private-job-1': expect.stringMatching(/^[0-9a-f]{20}:[0-9a-f]{64}$/) } }),
    )
  })
})

test('cache', async () => {
  await expectRepository()
  const cache = {
    repository_id: 1,
    slug: 'cache--rvm-3.2',
    branch: 'main',
    size: 1024,
    last_modified: time,
  }
  expect(await client('GET /repos/1/caches')).toEqual(ok({ caches: [cache] }))
  const query = 'branch=main&match=rvm'
  expect(await client(`GET /repos/1/caches?${query}`)).toEqual(ok({ caches: [cache] }))
  expect(await client(`DELETE /repos/1/caches?${query}`)).toEqual(ok({ caches: [cache] }))
  expect(await client('DELETE /repos/1/caches')).toEqual(ok({ caches: [] }))
})
