import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, makeAccounts } from './accounts.ts'
import type { Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call } = await accountCalls(db)

let scene: Scene
beforeAll(async () => {
  scene = await makeAccounts(db)
})

async function membershipsAt(path: string, caller: { token?: string } = {}): Promise<unknown> {
  const { status, body } = await call(`GET ${path}`, caller)
  expect(status).toBe(200)
  return (body as { memberships: unknown }).memberships
}

const inOrganization = (organization_id: number) => ({
  '@type': 'membership',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  organization_id,
  build_permission: null,
})

test('memberships are listed for the caller, whatever their role', async () => {
  const { admin, pusher, stranger } = scene.people
  expect(await membershipsAt('/user', pusher)).toEqual([inOrganization(1)])
  expect(await membershipsAt(`/user/${admin.id}`, admin)).toEqual([inOrganization(1)])
  expect(await membershipsAt('/user', stranger)).toEqual([])
  const other = await make.organization('other')
  await make.membership(admin, other)
  expect(await membershipsAt('/user', admin)).toEqual([1, other.id].map(inOrganization))
})

test('memberships of other users are not shown, not even if they are included', async () => {
  const { admin, pusher } = scene.people
  const path = `/user/${pusher.id}`
  expect(await membershipsAt(path, admin)).toEqual([])
  expect(await membershipsAt(path)).toEqual([])
  expect(await membershipsAt('/user?include=user.memberships', pusher)).toEqual([
    { ...inOrganization(1), '@representation': 'standard' },
  ])
  expect(await membershipsAt(`${path}?include=user.memberships`, admin)).toEqual([])
})
