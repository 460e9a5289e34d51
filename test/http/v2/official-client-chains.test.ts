import { constants, publicEncrypt } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sealedIn } from '../../../src/secrets/sealed-records.ts'
import { decrypter } from '../../../src/secrets/secure-value.ts'
import { findPrivateKey } from '../../../src/store/secrets/key-pairs.ts'
import { testSealer } from '../../support/context.ts'
import { alice, build, client, db, make, ok, useClient } from './official-client.ts'

useClient()

// Commands of the official client of which a call needs what the one before has answered, and what they
// tell where something is refused; see `official-client.ts`.

interface Listed {
  builds: { id: number; number: string; job_ids: number[]; pull_request_number: string | null }[]
  jobs: { id: number; build_id: number }[]
}

const listed = async (query: string) =>
  (await client(`GET /builds/?${query}&repository_id=1`)).body as Listed

// Builds 8 to 34 of pushes follow build 7; 35 is of pull request 4, 36 has a single job that has just begun.
beforeAll(async () => {
  const repository = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
  for (let count = 8; count <= 34; count += 1) {
    await make.build({ repository, number: count, state: 'passed' })
  }
  const pull = await make.pullRequest(repository, { number: 4, title: 'A change' })
  const event_type = 'pull_request'
  await make.build({
    repository,
    number: 35,
    pull_request_id: pull.id,
    event_type,
    state: 'failed',
  })
  const single = await make.build({ repository, number: 36, state: 'started' })
  await make.job({ build: single, number: '36.1', state: 'started' })
})

test('login, and then whoami', async () => {
  const given = { body: `codehost_token=${alice.token}`, token: null }
  const { body } = await client('POST /auth/codehost', given)
  const { access_token } = body as { access_token: string }
  expect(access_token).not.toBe(alice.token)
  expect(await client('GET /users/', { token: access_token })).toMatchObject(
    ok({ user: { login: 'alice', correct_scopes: true } }),
  )
})

test('open, whose address is made of the slug and the id of a build', async () => {
  const { builds } = await listed('number=7')
  const { status } = await client(`GET /acme/web/builds/${builds[0]?.id}`, { accept: 'text/html' })
  expect(status).toBe(200)
})

describe('a build by its number', () => {
  test('comes with its jobs, so that they need no call of their own', async () => {
    const { builds, jobs } = await listed('number=7')
    expect(builds).toMatchObject([{ ...build, job_ids: [1, 2] }])
    expect(jobs).toMatchObject([
      { id: 1, build_id: 1, number: '7.1' },
      { id: 2, build_id: 1, number: '7.2' },
    ])
  })

  test('leads to its only job and the log of that job', async () => {
    const { builds } = await listed('number=36')
    const [id] = builds[0]?.job_ids ?? []
    expect(await client(`GET /jobs/${id}`)).toMatchObject(ok({ job: { number: '36.1' } }))
    // Its log is empty still, and read in parts.
    expect(await client(`GET /logs/${id}`)).toMatchObject(ok({ log: { body: '' } }))
    const accept =
      'application/json; chunked=true; version=2, application/json; version=2, text/plain'
    expect(await client(`GET /jobs/${id}/log`, { accept })).toMatchObject(
      ok({ log: { job_id: id, parts: [] } }),
    )
  })

  test('of a branch that does not exist is not found', async () => {
    expect(await client('GET /repos/1/branches/nothing')).toMatchObject({ status: 404 })
  })
})

test('history, page by page', async () => {
  const first = await listed('')
  expect(first.builds.map(({ number }) => Number(number))).toEqual(
    Array.from({ length: 25 }, (_, index) => 36 - index),
  )
  expect(first.builds[1]).toMatchObject({
    number: '35',
    pull_request: true,
    pull_request_number: '4',
    pull_request_title: 'A change',
  })
  const second = await listed('after_number=12')
  expect(second.builds.map(({ number }) => number)).toEqual(['11', '10', '9', '8', '7'])
  expect((await listed('after_number=7')).builds).toEqual([])
})

test('status, of a build that failed', async () => {
  await db
    .updateTable('repositories')
    .set({ last_build_id: (await listed('number=35')).builds[0]?.id ?? 0 })
    .execute()
  expect(await client('GET /repos/acme/web')).toMatchObject(
    ok({ repo: { last_build_state: 'failed', last_build_number: '35' } }),
  )
})

test('encrypt, with the public key of the repository', async () => {
  const { body } = await client('GET /repos/1/key')
  const key = { key: (body as { key: string }).key, padding: constants.RSA_PKCS1_PADDING }
  const secret = publicEncrypt(key, Buffer.from('PASSWORD=x')).toString('base64')
  const sealed = (await findPrivateKey(db, 1)) ?? ''
  const decrypt = decrypter(testSealer.openText(sealedIn.keyPair(1), sealed))
  expect(decrypt(secret)).toBe('PASSWORD=x')
})

describe('env', () => {
  const path = '/settings/env_vars/?repository_id=1'

  test('copy, of a value into an existing secret', async () => {
    const { body } = await client(`POST ${path}`, { body: '{"env_var":{"name":"S","value":"1"}}' })
    const { id } = (body as { env_var: { id: string } }).env_var
    const changed = await client(`PATCH /settings/env_vars/${id}?repository_id=1`, {
      body: '{"env_var":{"value":"other"}}',
    })
    expect(changed).toEqual(
      ok({ env_var: { id, name: 'S', public: false, branch: null, repository_id: 1 } }),
    )
  })

  test('clear, which deletes one variable after the other', async () => {
    await client(`POST ${path}`, { body: '{"env_var":{"name":"T","value":"1"}}' })
    const { body } = await client(`GET ${path}`)
    for (const { id } of (body as { env_vars: { id: string }[] }).env_vars) {
      const deleted = await client(`DELETE /settings/env_vars/${id}?repository_id=1`)
      expect(deleted).toMatchObject(ok({ env_var: { id } }))
    }
    expect(await client(`GET ${path}`)).toEqual(ok({ env_vars: [] }))
  })

  test('set, without a name', async () => {
    expect(await client(`POST ${path}`, { body: '{"env_var":{"value":"1"}}' })).toEqual({
      status: 422,
      body: { message: 'Validation failed', errors: [{ field: 'name', code: 'missing_field' }] },
    })
  })
})

test('sshkey, with an invalid key', async () => {
  const body = '{"ssh_key":{"value":"nonsense","description":"x"}}'
  expect(await client('PATCH /settings/ssh_key/1', { body })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'value', code: 'not_a_private_key' }] },
  })
})

test('logs --delete, without a reason', async () => {
  expect(await client('PATCH /jobs/2/log', { body: '' })).toMatchObject(
    ok({ log: { id: 2, body: expect.stringMatching(/^Log removed by Name of alice at [^\n]+$/) } }),
  )
})

test('monitor -r, which gets only the channels that are open to the user', async () => {
  const other = await make.user('other')
  const channels = ['private-repo-1', `private-user-${other.id}`, 'repo-1']
  const body = `${channels.map((name) => `channels%5B%5D=${name}`).join('&')}&socket_id=1.2`
  const answer = await client('POST /streaming/auth', { body })
  expect(Object.keys((answer.body as { channels: object }).channels)).toEqual([
    'private-repo-1',
    'repo-1',
  ])
})

test.each(['GET /users/', 'GET /hooks', 'GET /repos/1/settings', 'POST /users/sync'])(
  '%s without a login reports that a login is needed',
  async (call) => {
    const answer = await client(call, {
      token: null,
      ...(call.startsWith('P') ? { body: '' } : {}),
    })
    expect(answer).toEqual({ status: 401, body: 'no access token supplied' })
  },
)
