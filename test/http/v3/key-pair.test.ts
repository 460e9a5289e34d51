import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited } from '../v2/roles.ts'
import { fingerprint, shownPair } from './key-pairs.ts'
import { callerOf, forms, hiddenAs, missing, refusals, refused, rowCounts } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>
beforeEach(async () => {
  call = await callerOf(server, db)
})

const made = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const deploy = shownPair({ description: 'deploy', public_key: made.publicKey, fingerprint })

const stored = () => db.selectFrom('ssh_keys').selectAll().execute()

describe('key_pair', () => {
  const body = { key_pair: { description: 'deploy', value: made.privateKey } }

  test('is created once, and shown without its private value', async () => {
    expect(await call('pusher', 'POST /repo/1/key_pair', body)).toEqual([201, deploy])
    for (const form of forms) {
      expect(await call('pusher', `GET ${form}/key_pair`)).toEqual([200, deploy])
    }
    const before = await rowCounts(db)
    expect(await call('pusher', 'POST /repo/1/key_pair', body)).toEqual(
      refused('duplicate_resource', 409, 'the repository has a custom SSH key already'),
    )
    expect(await rowCounts(db)).toEqual(before)
    const [row] = await stored()
    const opened = testSealer.openText({ type: 'ssh_key', id: 1 }, row?.sealed_value ?? '')
    expect(opened.trim()).toBe(made.privateKey.trim())
    expect(await audited(db)).toMatchObject([{ action: 'set_ssh_key', subject: 'repository 1' }])
  })

  test('can be created without a description', async () => {
    const given = { key_pair: { value: made.privateKey } }
    const without = { ...deploy, description: '' }
    expect(await call('pusher', 'POST /repo/1/key_pair', given)).toEqual([201, without])
    expect(await call('pusher', 'GET /repo/1/key_pair')).toEqual([200, without])
  })

  test('changes only in the given fields', async () => {
    await call('pusher', 'POST /repo/1/key_pair', body)
    const path = 'PATCH /repo/1/key_pair'
    expect(await call('pusher', path, { description: 'other' })).toEqual([
      200,
      { ...deploy, description: 'other' },
    ])
    const next = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    expect(await call('pusher', path, { 'key_pair.value': next.privateKey })).toEqual([
      200,
      shownPair({ description: 'other', public_key: next.publicKey, fingerprint }),
    ])
    expect(await call('pusher', path, {})).toMatchObject([200, { description: 'other' }])
    expect((await audited(db)).map(({ action }) => action)).toEqual([
      'set_ssh_key',
      'change_ssh_key',
      'change_ssh_key',
    ])
    expect(await call('pusher', path, { value: 'no key' })).toEqual(
      refused('unprocessable_entity', 422, 'validation failed: value not a private key'),
    )
  })

  test('is missing once it is deleted', async () => {
    await call('pusher', 'POST /repo/1/key_pair', body)
    expect(await call('pusher', 'DELETE /repo/1/key_pair')).toEqual([204, null])
    expect(await stored()).toEqual([])
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call('pusher', `${method} /repo/1/key_pair`)).toEqual(missing('key_pair'))
    }
  })

  test.each([
    [{}, 400, 'wrong_params', 'key_pair.value must be given'],
    [{ value: '' }, 422, 'unprocessable_entity', 'validation failed: value missing field'],
    [{ value: 'x' }, 422, 'unprocessable_entity', 'validation failed: value not a private key'],
  ])('is not created with %j', async (given, status, type, message) => {
    expect(await call('pusher', 'POST /repo/1/key_pair', given)).toEqual(
      refused(type, status, message),
    )
    expect(await stored()).toEqual([])
  })

  test.each(refusals)('is not created by %s', async (who, ...answers) => {
    const paths = [1, 2, 9].map((id) => `POST /repo/${id}/key_pair`)
    expect(await Promise.all(paths.map((path) => call(who, path, body)))).toEqual(answers)
    expect(await stored()).toEqual([])
  })

  test.each(hiddenAs('key_pair'))('looks missing to %s', async (who, answer) => {
    const paths = ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /repo/1/key_pair`)
    const ask = () => Promise.all(paths.map((path) => call(who, path, { description: 'mine' })))
    expect(await ask()).toEqual(paths.map(() => answer))
    await call('pusher', 'POST /repo/1/key_pair', body)
    expect(await ask()).toEqual(paths.map(() => answer))
    expect(await stored()).toMatchObject([{ description: 'deploy' }])
  })
})
