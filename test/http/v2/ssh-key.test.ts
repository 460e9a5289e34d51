import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { needs } from '../../support/needs.ts'
import { generatedKey, md5Fingerprint, sshKeygen } from '../../support/ssh-keygen.ts'
import {
  audited,
  badIds,
  byRole,
  clientOf,
  invalid,
  makeRoles,
  repositoryMissing,
  type Role,
  roles,
  settingMissing,
} from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: ReturnType<typeof clientOf>
beforeEach(async () => {
  call = clientOf(server, await makeRoles(db))
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
const value = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
const other = String(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
const fingerprint = expect.stringMatching(/^[\da-f]{2}(?::[\da-f]{2}){15}$/) as unknown as string

const path = '/settings/ssh_key/1'
const patch = (ssh_key: unknown, who: Role = 'pusher') => call(who, `PATCH ${path}`, { ssh_key })

async function storedKey(): Promise<string | undefined> {
  const row = await db.selectFrom('ssh_keys').selectAll().executeTakeFirst()
  return row && testSealer.openText({ type: 'ssh_key', id: row.repository_id }, row.sealed_value)
}

test('an SSH key is set, shown, replaced and removed', async () => {
  expect(await call('pusher', `GET ${path}`)).toEqual(settingMissing)

  const set = await patch({ description: 'my key', value })
  expect(set).toEqual([200, { ssh_key: { id: 1, description: 'my key', fingerprint } }])
  expect(await storedKey()).toBe(value)
  for (const suffix of ['', '/', '.json']) {
    expect(await call('pusher', `GET ${path}${suffix}`)).toEqual(set)
  }

  const replaced = await patch({ value: other })
  expect(replaced).toEqual([200, { ssh_key: { id: 1, description: 'my key', fingerprint } }])
  expect(replaced).not.toEqual(set)
  expect(await storedKey()).toBe(other)

  expect(await call('pusher', `DELETE ${path}`)).toEqual(replaced)
  expect(await call('pusher', `DELETE ${path}`)).toEqual(settingMissing)
  expect(await call('pusher', `GET ${path}`)).toEqual(settingMissing)
})

test(
  'a key made by ssh-keygen has the fingerprint that ssh-keygen shows',
  needs(sshKeygen),
  async () => {
    for (const options of [
      ['-t', 'ed25519'],
      ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
    ]) {
      const key = generatedKey(...options)
      expect(await patch({ description: '', value: key })).toEqual([
        200,
        { ssh_key: { id: 1, description: '', fingerprint: md5Fingerprint(key) } },
      ])
    }
  },
)

describe('PATCH of an SSH key', () => {
  test.each<[object, string]>([
    [{ value }, ''],
    [{ value, description: null }, ''],
    [{ value, description: 7, id: 2, fingerprint: 'x', repository_id: 2 }, '7'],
  ])('stores the value and the description', async (ssh_key, description) => {
    expect(await patch(ssh_key)).toEqual([200, { ssh_key: { id: 1, description, fingerprint } }])
  })

  const missing = [{ field: 'value', code: 'missing_field' }]
  const none = [{ field: 'value', code: 'not_a_private_key' }]
  test.each<[string | object | undefined, object[]]>([
    [undefined, missing],
    [{}, missing],
    [{ ssh_key: {} }, missing],
    [{ ssh_key: { description: 'new' } }, missing],
    [{ ssh_key: { value: null } }, missing],
    [{ ssh_key: { value: ' \n' } }, missing],
    [{ ssh_key: 'text' }, [{ field: 'ssh_key', code: 'invalid' }, ...missing]],
    [{ ssh_key: { value: 'text' } }, none],
    [{ ssh_key: { value: 'a\u0000b' } }, none],
    [
      { ssh_key: { value: 'text', description: [] } },
      [{ field: 'description', code: 'invalid' }, ...none],
    ],
    [{ ssh_key: { value, description: 'a\u0000b' } }, [{ field: 'description', code: 'invalid' }]],
  ])('with %j is refused, and keeps the key', async (body, errors) => {
    await patch({ description: 'mine', value: other })
    expect(await call('pusher', `PATCH ${path}`, body)).toEqual(invalid(...errors))
    expect(await storedKey()).toBe(other)
    expect(await call('pusher', `GET ${path}`)).toMatchObject([
      200,
      { ssh_key: { description: 'mine' } },
    ])
  })

  test('with a passphrase is refused, with advice', async () => {
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret' }
    const locked = String(privateKey.export({ type: 'pkcs1', format: 'pem', ...cipher }))
    expect(await patch({ value: locked })).toEqual(
      invalid({
        field: 'value',
        code: 'key_with_a_passphrase',
        message:
          'the key is protected by a passphrase, which no job can enter: ' +
          'send one without it (`ssh-keygen -p -f FILE` removes it from a copy)',
      }),
    )
    expect(await storedKey()).toBeUndefined()
  })

  test.each(['{', 'ssh_key[value]=a', '[]'])('refuses %s, which is invalid JSON', async (body) => {
    expect(await call('pusher', `PATCH ${path}`, body)).toEqual([
      400,
      'Invalid JSON in request body',
    ])
  })
})

describe('access to an SSH key', () => {
  test.each(roles.flatMap((who) => [1, 2].map((repository) => [who, repository] as const)))(
    'as %s, of repository %i',
    async (who, repository) => {
      const asked = `/settings/ssh_key/${repository}`
      await call('pusher', `PATCH ${asked}`, { ssh_key: { value } })
      const body = { ssh_key: { value: other } }
      const answers = [
        await call(who, `GET ${asked}`),
        await call(who, `PATCH ${asked}`, body),
        await call(who, `DELETE ${asked}`),
      ]
      const expected = byRole([200, { ssh_key: expect.anything() }], repositoryMissing)[who]
      expect(answers).toEqual([expected, expected, expected])
    },
  )

  test.each(['reader', 'other'] as const)(
    '%s cannot find out whether there is a key',
    async (who) => {
      const [without] = [await call(who, `GET ${path}`)]
      await patch({ value })
      expect(await call(who, `GET ${path}`)).toEqual(without)
    },
  )

  test.each([...badIds, '3', 'acme%2Fweb'])('no repository has the id %s', async (id) => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call('admin', `${method} /settings/ssh_key/${id}`)).toEqual(repositoryMissing)
    }
  })
})

test('no response and no audit record holds the key', async () => {
  const answers = [
    await patch({ value }),
    await call('admin', `GET ${path}`),
    await call('admin', `DELETE ${path}`),
  ]
  expect(JSON.stringify(answers)).not.toMatch(/value|PRIVATE/)
  const record = { subject: 'repository 1', address: '127.0.0.1', byToken: true }
  const changed = { fingerprint, description: '' }
  expect(await audited(db)).toEqual([
    { ...record, actor: 'pusher', action: 'set_ssh_key', changed },
    { ...record, actor: 'admin', action: 'remove_ssh_key', changed },
  ])
})
