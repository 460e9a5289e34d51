import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { putUser } from '../../../src/store/people/users.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { administered } from './administered.ts'
import { missing } from './build-scene.ts'

const db = await testDatabase()
const make = factories(db)
const { call } = await administered(db)

let root: User & { token: string }
let anna: User & { token: string }
beforeEach(async () => {
  root = await make.user('Root')
  anna = await make.user('anna')
})

const lists = ['deliveries', 'runners', 'queues', 'audit_records']

describe.each(lists)('GET /%s', (type) => {
  test('is for administrators, both of the code host and local ones', async () => {
    const local = await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
    for (const token of [root.token, await make.token(local)]) {
      expect(await call(`GET /${type}`, { token })).toMatchObject({
        status: 200,
        body: { '@type': type, '@representation': 'standard' },
      })
    }
  })

  test('looks missing to users who are not administrators', async () => {
    expect(await call(`GET /${type}`, anna)).toEqual(missing(type))
    const other = await putUser(db, { provider: 'local', codehost_id: 2, login: 'root' })
    expect(await call(`GET /${type}`, { token: await make.token(other) })).toEqual(missing(type))
  })

  test('needs a login, and a token with the scope `admin`', async () => {
    expect(await call(`GET /${type}`)).toMatchObject({ body: { error_type: 'login_required' } })
    const token = await make.token(root, ['public', 'private', 'read', 'builds', 'settings'])
    expect(await call(`GET /${type}`, { token })).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'admin' },
    })
  })
})
