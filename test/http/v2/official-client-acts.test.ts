import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { client, expectRepository, ok, useClient } from './official-client.ts'

useClient()

// What the official client changes; see `official-client.ts`.

const result = (notice: string) => ({ status: 202, body: { result: true, flash: [{ notice }] } })

test('logs', async () => {
  expect(await client('GET /logs/1')).toMatchObject(
    ok({ log: { id: 1, job_id: 1, body: 'hello\nworld\n' } }),
  )
})

test('logs --delete', async () => {
  expect(await client('PATCH /jobs/2/log', { body: 'reason=private' })).toMatchObject({
    status: 200,
  })
  expect(await client('GET /logs/2')).toMatchObject(
    ok({ log: { id: 2, body: expect.stringContaining('private') } }),
  )
})

test('settings', async () => {
  await expectRepository()
  const known = {
    builds_only_with_service_yml: true,
    build_pushes: true,
    build_pull_requests: true,
    maximum_number_of_builds: 0,
    auto_cancel_pushes: false,
    auto_cancel_pull_requests: false,
  }
  expect(await client('GET /repos/1/settings')).toMatchObject(ok({ settings: known }))
  const settings = { ...known, maximum_number_of_builds: 3 }
  const body = JSON.stringify({ settings })
  expect(await client('PATCH /repos/1/settings', { body })).toMatchObject(ok({ settings }))
})

describe('env', () => {
  const path = '/settings/env_vars/?repository_id=1'

  test('set, list, unset', async () => {
    await expectRepository()
    expect(await client(`GET ${path}`)).toEqual(ok({ env_vars: [] }))
    const created = await client(`POST ${path}`, {
      body: '{"env_var":{"name":"A","value":"1","public":true}}',
    })
    expect(created).toMatchObject(ok({ env_var: { name: 'A', value: '1', public: true } }))
    const { id } = (created.body as { env_var: { id: string } }).env_var
    expect(id).toMatch(/^\w+(-\w+){4}$/)
    const one = `/settings/env_vars/${id}?repository_id=1`
    expect(await client(`PATCH ${one}`, { body: '{"env_var":{"value":"2"}}' })).toMatchObject(
      ok({ env_var: { id, name: 'A', value: '2' } }),
    )
    expect(await client(`GET ${path}`)).toMatchObject(ok({ env_vars: [{ id, value: '2' }] }))
    expect(await client(`DELETE ${one}`)).toMatchObject(ok({ env_var: { id } }))
    expect(await client(`GET ${path}`)).toEqual(ok({ env_vars: [] }))
  })

  test('set, in secret', async () => {
    const created = await client(`POST ${path}`, { body: '{"env_var":{"name":"B","value":"1"}}' })
    expect(created).toMatchObject(ok({ env_var: { name: 'B', public: false } }))
    expect(JSON.stringify(created)).not.toContain('"value"')
  })
})

test('encrypt, pubkey', async () => {
  await expectRepository()
  expect(await client('GET /repos/1/key')).toEqual(
    ok({
      key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
      fingerprint: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2}){15}$/),
    }),
  )
})

test('disable, enable', async () => {
  for (const active of [false, true]) {
    const body = `hook%5Bactive%5D=${active}&hook%5Bid%5D=1`
    expect(await client('PUT /hooks/', { body })).toEqual(ok({ result: true }))
    expect(await client('GET /repos/acme/web')).toMatchObject(ok({ repo: { active } }))
  }
})

test('sshkey', async () => {
  const none = { status: 404, body: { error: 'Could not find a requested setting' } }
  expect(await client('GET /settings/ssh_key/1')).toEqual(none)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const value = privateKey.export({ type: 'pkcs1', format: 'pem' })
  const body = JSON.stringify({ ssh_key: { value, description: 'my key' } })
  expect(await client('PATCH /settings/ssh_key/1', { body })).toMatchObject({ status: 200 })
  expect(await client('GET /settings/ssh_key/1')).toEqual(
    ok({
      ssh_key: {
        id: 1,
        description: 'my key',
        fingerprint: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2}){15}$/),
      },
    }),
  )
  expect(await client('DELETE /settings/ssh_key/1')).toMatchObject({ status: 200 })
  expect(await client('GET /settings/ssh_key/1')).toEqual(none)
})

test('restart and cancel', async () => {
  expect(await client('POST /jobs/1/cancel', { body: '' })).toMatchObject({ status: 422 })
  expect(await client('POST /jobs/1/restart', { body: '' })).toEqual(
    result('The job was successfully restarted.'),
  )
  expect(await client('GET /jobs/1')).toMatchObject(ok({ job: { state: 'created' } }))
  expect(await client('POST /builds/1/cancel', { body: '' })).toMatchObject({ status: 204 })
  expect(await client('GET /builds/1')).toMatchObject(ok({ build: { state: 'canceled' } }))
  expect(await client('POST /builds/1/restart', { body: '' })).toEqual(
    result('The build was successfully restarted.'),
  )
})
