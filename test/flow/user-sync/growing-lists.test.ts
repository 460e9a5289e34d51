import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import { syncedScene } from './synced-scene.ts'

const db = await testDatabase()
const scene = await syncedScene(db)
const { host, make } = scene

const join = (count: number) => {
  for (let number = 0; number < count; number += 1) {
    const login = `${scene.anna.login}-${host.tables.nextId()}`
    host.addOrganization({ login, members: { [scene.anna.login]: 'member' } })
  }
}

const memberships = async () => (await scene.kept()).memberships

beforeEach(async () => {
  join(100)
  await scene.sync()
  host.calls.length = 0
})

test('a list whose last page was full is read further once it has grown', async () => {
  join(1)
  await scene.sync()
  expect(await memberships()).toBe(101)
})

test('a membership beyond a full page that an event reported stays', async () => {
  join(1)
  const account = host.tables.accounts.at(-1)
  const organization = await make.organization(account?.login)
  await db
    .updateTable('organizations')
    .set({ codehost_id: account?.id ?? null })
    .where('id', '=', organization.id)
    .execute()
  await make.membership(scene.anna, organization)
  expect(await memberships()).toBe(101)
  await scene.sync()
  expect(await memberships()).toBe(101)
})

test('a list without a further page makes no request that counts', async () => {
  await scene.sync()
  expect(host.calls.filter(({ call }) => call.includes('memberships'))).toHaveLength(2)
  expect(host.calls.map(({ status }) => status)).toEqual(host.calls.map(() => 304))
})

test('a list that shrinks by a page loses only the entries of that page', async () => {
  join(1)
  await scene.sync()
  host.tables.accounts.at(-1)?.members.clear()
  await scene.sync()
  expect(await memberships()).toBe(100)
})
