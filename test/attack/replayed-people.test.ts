// An outdated webhook about people can be repeated at any time, with a valid signature.
import { beforeEach, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import { slugOf } from '../../src/domain/repository.ts'
import type { Account, Repository } from '../support/codehost/tables.ts'
import type { TestContext } from '../support/context.ts'
import { replayScene } from './replay-scene.ts'

const scene = await replayScene()
const { db, host, make } = scene

let ctx: TestContext
let deliver: Awaited<ReturnType<typeof scene.open>>['deliver']
let organization: Account
let repository: Repository
let user: User

beforeEach(async () => {
  ;({ ctx, deliver } = await scene.open())
  organization = host.addOrganization({ login: scene.unique('org') })
  repository = await scene.knownRepository(ctx, organization.login)
  user = await scene.knownUser()
})

const setMember = (role: 'admin' | 'member' | null) =>
  host.setMember(organization, user.login, role)
const memberEvent = (role: 'admin' | 'member' | null) =>
  scene.captured('organization', () => setMember(role))

const memberships = () =>
  db.selectFrom('memberships').select('role').where('user_id', '=', user.id).execute()
const permissions = () =>
  db.selectFrom('permissions').select(['push', 'admin']).where('user_id', '=', user.id).execute()

test('an old webhook does not make a user who left an organization its administrator again', async () => {
  const added = await memberEvent('admin')
  expect(await deliver('organization', added)).toMatchObject({
    outcome: `${user.login} belongs to ${organization.login}`,
  })
  expect(await memberships()).toEqual([{ role: 'admin' }])
  await deliver('organization', await memberEvent(null))
  expect(await memberships()).toEqual([])
  expect(await deliver('organization', added)).toMatchObject({
    ...{ result: 'noted', outcome: `${user.login} has left ${organization.login}` },
  })
  expect(await memberships()).toEqual([])
})

test('an old webhook does not remove the rights of a user who returned to an organization', async () => {
  await deliver('organization', await memberEvent('member'))
  const removed = await memberEvent(null)
  await setMember('admin')
  await make.permission(user, await scene.rowOf(repository), 'admin')
  expect(await deliver('organization', removed)).toMatchObject({
    outcome: `${user.login} belongs to ${organization.login}`,
  })
  expect(await memberships()).toEqual([{ role: 'admin' }])
  expect(await permissions()).toEqual([{ push: true, admin: true }])
  await deliver('organization', await memberEvent(null))
  expect([await memberships(), await permissions()]).toEqual([[], []])
})

test('a member who was renamed stays a member', async () => {
  const removed = await memberEvent('member').then(() => memberEvent(null))
  await setMember('member')
  const account = host.tables.accounts.find(({ id }) => id === user.codehost_id)
  if (account) account.login = scene.unique('renamed')
  host.addUser({ login: user.login })
  await deliver('organization', removed)
  expect(await memberships()).toEqual([{ role: 'member' }])
})

test('while the code host is unreachable, a membership stays, and the event is retried', async () => {
  await deliver('organization', await memberEvent('member'))
  const removed = await memberEvent(null)
  const restore = host.failWhile({ kind: 'status', status: 503 }, /\/memberships\//)
  await expect(deliver('organization', removed)).rejects.toMatchObject({ kind: 'away' })
  restore()
  expect(await memberships()).toEqual([{ role: 'member' }])
})

test('without permission to read members, the app schedules a sync of the user and changes nothing else', async () => {
  const { owner_id: id } = await scene.rowOf(repository)
  await make.membership(user, { id })
  const removed = await memberEvent('member').then(() => memberEvent(null))
  const installation = scene.installationOf(organization)
  const { members: _members, ...permissions } = installation.permissions
  installation.permissions = permissions
  ctx.enqueued.length = 0
  expect(await deliver('organization', removed)).toMatchObject({
    result: 'noted',
    outcome:
      `the code host does not report whether ${user.login} belongs to ${organization.login}: ` +
      'the user is looked up again',
  })
  expect(await memberships()).toEqual([{ role: 'member' }])
  expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: user.id } }])
})

test('a right on a repository follows the code host, whichever old webhook arrives', async () => {
  const login = scene.unique('owner')
  const own = await scene.knownRepository(ctx, login)
  const added = await scene.captured('member', () => host.setRole(own, user.login, 'admin'))
  const removed = await scene.captured('member', () => host.setRole(own, user.login, null))
  const row = await scene.rowOf(own)
  expect(await deliver('member', added)).toMatchObject({
    outcome: `the rights of ${user.login} on ${slugOf(row)} were refreshed`,
  })
  expect(await permissions()).toEqual([])
  await host.setRole(own, user.login, 'write')
  await deliver('member', removed)
  expect(await permissions()).toEqual([{ push: true, admin: false }])
})

test('a repository that was transferred long ago keeps the rights granted since', async () => {
  const own = await scene.knownRepository(ctx)
  const to = scene.unique('owner')
  await host.install(to)
  await make.permission(user, await scene.rowOf(own), 'push')
  const [transferred] = await scene.allCaptured(['repository'], () => host.transfer(own, to))
  ctx.enqueued.length = 0
  expect(await deliver('repository', transferred)).toMatchObject({ result: 'noted' })
  expect(await permissions()).toEqual([])
  const asked = { name: 'user.sync', payload: { user_id: user.id } }
  expect(ctx.enqueued).toContainEqual(asked)
  await make.permission(user, await scene.rowOf(own), 'admin')
  expect(await deliver('repository', transferred)).toMatchObject({ result: 'noted' })
  expect(await permissions()).toEqual([{ push: true, admin: true }])
})

test('a transfer that is first reported by a push removes all earlier rights', async () => {
  const own = await scene.knownRepository(ctx)
  const to = scene.unique('owner')
  await host.install(to)
  await make.permission(user, await scene.rowOf(own), 'push')
  const pushed = await scene.captured('push', async () => {
    await host.transfer(own, to)
    await host.commit(own)
  })
  await deliver('push', pushed)
  expect(await scene.rowOf(own)).toMatchObject({ owner_name: to })
  expect(await permissions()).toEqual([])
})
