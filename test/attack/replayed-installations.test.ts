// A webhook about a repository's selection for the app can be repeated at any time, with a valid
// signature.
import { beforeEach, expect, test } from 'vitest'
import { setActive } from '../../src/flow/repositories/set-active.ts'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import type { Installation, Repository } from '../support/codehost/tables.ts'
import type { TestContext } from '../support/context.ts'
import { replayScene } from './replay-scene.ts'

const scene = await replayScene()
const { db, host, make } = scene

let ctx: TestContext
let deliver: Awaited<ReturnType<typeof scene.open>>['deliver']
let repository: Repository
let installation: Installation

beforeEach(async () => {
  ;({ ctx, deliver } = await scene.open())
  repository = await scene.knownRepository(ctx)
  installation = scene.installationOf(repository.owner)
})

const choose = (change: { add?: Repository[]; remove?: Repository[] }) =>
  scene.captured('installation_repositories', () => host.choose(installation, change))
/** The work of the queue after such an event. */
const lookUp = () => syncInstallation(ctx, installation.id)
const state = async () => {
  const { active, managed_by_installation } = await scene.rowOf(repository)
  return { active, managed_by_installation }
}
const chosen = { active: true, managed_by_installation: true }
const released = { active: false, managed_by_installation: false }

test('an old webhook does not remove a repository that is still selected, nor its waiting builds', async () => {
  const removed = await choose({ remove: [repository] })
  await choose({ add: [repository] })
  await lookUp()
  const build = await make.build({ repository: await scene.rowOf(repository) })
  const job = await make.job({ build })
  expect(await deliver('installation_repositories', removed)).toMatchObject({
    result: 'noted',
    outcome: `the app is installed for ${repository.owner.login}: its repositories are synced`,
  })
  expect(ctx.enqueued).toContainEqual({
    name: 'installation.sync',
    payload: { installation: installation.id },
  })
  await lookUp()
  expect(await state()).toEqual(chosen)
  const { state: left } = await db
    .selectFrom('jobs')
    .select('state')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  expect(left).toBe('created')
})

test('a repository that a user has deactivated stays inactive after old webhooks', async () => {
  const removed = await choose({ remove: [repository] })
  const added = await choose({ add: [repository] })
  await lookUp()
  const by = { user: await make.user('admin'), token_id: null, address: '127.0.0.1' }
  await setActive(ctx, by, await scene.rowOf(repository), false)
  for (const payload of [removed, added]) {
    await deliver('installation_repositories', payload)
    await lookUp()
  }
  expect(await state()).toEqual({ active: false, managed_by_installation: true })
})

test('a repository that was removed from the app does not come back', async () => {
  await choose({ remove: [repository] })
  const added = await choose({ add: [repository] })
  const created = host.deliveries.find(
    ({ event, installation_id }) => event === 'installation' && installation_id === installation.id,
  )
  await deliver('installation_repositories', await choose({ remove: [repository] }))
  await lookUp()
  expect(await state()).toEqual(released)
  await deliver('installation_repositories', added)
  await deliver('installation', created?.request.payload)
  expect(await state()).toEqual(released)
  await lookUp()
  expect(await state()).toEqual(released)
})

test('a repository added to the installation is active after its look-up', async () => {
  await deliver('installation_repositories', await choose({ remove: [repository] }))
  await lookUp()
  await deliver('installation_repositories', await choose({ add: [repository] }))
  await lookUp()
  expect(await state()).toEqual(chosen)
})

test('a push that arrives before the look-up of its repository is built', async () => {
  await deliver('installation_repositories', await choose({ remove: [repository] }))
  await lookUp()
  await choose({ add: [repository] })
  const push = await scene.captured('push', () =>
    host.commit(repository, { files: { '.service.yml': 'script: make' } }),
  )
  await deliver('push', push)
  expect(await state()).toEqual(chosen)
  const request = await db
    .selectFrom('requests')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!request) throw new Error('there is no request')
  await acceptRequest(ctx, request.id)
  expect(await db.selectFrom('builds').select('state').execute()).toHaveLength(1)
})

test('a push to a repository that is no longer selected is not built', async () => {
  const push = await scene.captured('push', () =>
    host.commit(repository, { files: { '.service.yml': 'script: make' } }),
  )
  await deliver('installation_repositories', await choose({ remove: [repository] }))
  await lookUp()
  await deliver('push', push)
  expect(await state()).toEqual(released)
  const [request] = await db.selectFrom('requests').selectAll().execute()
  if (!request) throw new Error('there is no request')
  await acceptRequest(ctx, request.id)
  expect(await db.selectFrom('builds').select('state').execute()).toEqual([])
})
