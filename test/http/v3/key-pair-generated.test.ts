import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { encryptSecure } from '../../../src/secrets/secure-value.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import { findRepository } from '../../../src/store/repositories/repositories.ts'
import { json } from '../../../src/store/tables.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { audited } from '../v2/roles.ts'
import { fingerprint, shownPair } from './key-pairs.ts'
import {
  callerOf,
  cannotWrite,
  forms,
  hiddenAs,
  missing,
  noLogin,
  rowCounts,
  webToPushers,
} from './roles.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>
beforeEach(async () => {
  call = await callerOf(server, db)
})

describe('key_pair_generated', () => {
  test('is made by an admin, and replaces the former key pair', async () => {
    expect(await call('pusher', 'GET /repo/1/key_pair/generated')).toEqual(missing('key_pair'))
    const [status, first] = await call('admin', 'POST /repo/1/key_pair/generated')
    const pem = expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/) as unknown as string
    const href = '/repo/1/key_pair/generated'
    expect([status, first]).toEqual([
      201,
      shownPair({ description: null, public_key: pem, fingerprint }, href),
    ])
    for (const form of forms) {
      expect(await call('pusher', `GET ${form}/key_pair/generated`)).toEqual([200, first])
    }
    const [, second] = await call('admin', 'POST /repo/1/key_pair/generated')
    expect(second).not.toEqual(first)
    expect(await call('pusher', 'GET /repo/1/key_pair/generated')).toEqual([200, second])
    expect(await audited(db)).toMatchObject([
      { action: 'renew_key_pair' },
      { action: 'renew_key_pair' },
    ])
  })

  test('shows encrypted values on the branches, and a new key pair warns of values that it makes unreadable', async () => {
    const path = '/repo/1/key_pair/generated'
    const [, pair] = await call('admin', `POST ${path}`)
    const own = (text: string) => encryptSecure((pair as { public_key: string }).public_key, text)
    const lost = ['A=1', 'B=2', 'C=3', 'D=4', 'E=5', 'F=6'].map((text) => ({ secure: own(text) }))
    const global = [{ secure: 'bm90aGluZw==' }, ...lost, 'PLAIN=1']
    const repository = await findRepository(db, { id: 1 })
    if (!repository) throw new Error('there is no repository')
    const build = await make.build({ repository, config: json({ env: { global } }) })
    await putBranch(db, 1, 'main')
    await db.updateTable('branches').set({ last_build_id: build.id }).execute()

    const shownPaths = (index: number) => ({
      ...{ repository: 'acme/web', branch: 'main', build: build.number },
      path: `env.global[${index}]`,
    })
    expect(await call('pusher', `GET ${path}?include=key_pair.encrypted`)).toEqual([
      200,
      { ...(pair as object), encrypted: [0, 1, 2, 3, 4, 5, 6].map(shownPaths) },
    ])
    expect(await call('admin', `POST ${path}`)).toMatchObject([
      201,
      {
        '@warnings': [
          {
            '@type': 'warning',
            warning_type: 'unreadable_values',
            parameter: 'key_pair',
            message:
              'encrypted values that the former key decrypted are lost: env.global[1] on main, ' +
              'env.global[2] on main, env.global[3] on main, env.global[4] on main, ' +
              'env.global[5] on main and 1 more. Encrypt them again with the new public key',
          },
        ],
      },
    ])
    const [, next] = await call('admin', `POST ${path}`)
    expect(next).not.toHaveProperty('@warnings')
  })

  test('cannot be made by users without admin rights', async () => {
    expect(await call('pusher', 'POST /repo/1/key_pair/generated')).toEqual([
      403,
      {
        '@type': 'error',
        error_type: 'insufficient_access',
        error_message: 'operation requires admin access to repository',
        permission: 'admin',
        resource_type: 'repository',
        repository: webToPushers,
      },
    ])
    expect(await call('reader', 'POST /repo/1/key_pair/generated')).toEqual(cannotWrite)
    expect(await call('no one', 'POST /repo/1/key_pair/generated')).toEqual(noLogin)
    expect(await rowCounts(db)).toMatchObject({ key_pairs: 0, audit_records: 0 })
  })

  test.each(hiddenAs('key_pair'))('looks missing to %s', async (who, answer) => {
    expect(await call(who, 'GET /repo/1/key_pair/generated')).toEqual(answer)
    await call('admin', 'POST /repo/1/key_pair/generated')
    expect(await call(who, 'GET /repo/1/key_pair/generated')).toEqual(answer)
  })
})
