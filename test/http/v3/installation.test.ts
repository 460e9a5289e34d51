import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, makeAccounts, minimalAcme } from './accounts.ts'
import { missing } from './build-scene.ts'
import { octavia, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call, closed } = await accountCalls(db)

let scene: Scene
beforeAll(async () => {
  scene = await makeAccounts(db)
})

describe('GET /installation/{codehost_id}', () => {
  test('is shown with its owner', async () => {
    expect(await call('GET /installation/77')).toEqual({
      status: 200,
      body: {
        '@type': 'installation',
        '@href': '/installation/77',
        '@representation': 'standard',
        '@permissions': { read: true, write: false },
        id: 1,
        codehost_id: 77,
        owner: minimalAcme,
      },
    })
    expect(await call('GET /installation/77?include=installation.owner')).toMatchObject({
      body: { owner: { '@representation': 'standard', codehost_id: 55 } },
    })
  })

  test('of a user is shown with the user', async () => {
    await make.installation({ owner_id: 1, owner_type: 'User' }, { codehost_id: 78 })
    expect(await call('GET /installation/78')).toEqual({
      status: 200,
      body: {
        '@type': 'installation',
        '@href': '/installation/78',
        '@representation': 'standard',
        '@permissions': { read: true, write: false },
        id: 2,
        codehost_id: 78,
        owner: octavia,
      },
    })
  })

  test('is hidden with its owner, and missing once it was removed', async () => {
    expect(await closed('GET /installation/77')).toEqual(missing('installation'))
    expect(await closed('GET /installation/77', scene.people.pusher)).toMatchObject({ status: 200 })
    const removed = await make.installation({ owner_id: 2, owner_type: 'User' })
    await db
      .updateTable('installations')
      .set({ removed_at: new Date() })
      .where('id', '=', removed.id)
      .execute()
    expect(await call(`GET /installation/${removed.codehost_id}`)).toEqual(missing('installation'))
  })

  test.each(['0', '999', '99999999999999999999'])('is not found by the id %s', async (id) => {
    expect(await call(`GET /installation/${id}`)).toEqual(missing('installation'))
  })

  test.each(['x', '-1', '1%00', '1.0'])('is an unknown path with %s', async (id) => {
    expect(await call(`GET /installation/${id}`)).toEqual(missing(null))
  })
})
