// The same rows for one who has logged in at a code host.
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { appScene } from '../app-scene.ts'
import { caller } from '../door.ts'
import { testRows } from './specification-rows.ts'

const { db } = await ownDatabase()
const { host, server, tokenOf, sync } = await appScene(db)
const call = caller(server)

let token: string

beforeAll(async () => {
  host.addUser({ login: 'octavia' }).id = 1
  await host.addRepository({ name: 'hello', collaborators: { pusher: 'write' } })
  token = await tokenOf('pusher')
  await sync()
})
beforeEach(async () => {
  await db.updateTable('repositories').set({ active: false }).where('id', '=', 1).execute()
})

test('the caller has been given the right by the code host only', async () => {
  const granted = await db.selectFrom('permissions').selectAll().execute()
  expect(granted).toMatchObject([{ repository_id: 1, push: true, admin: false }])
})

testRows({ call, token: () => token })
