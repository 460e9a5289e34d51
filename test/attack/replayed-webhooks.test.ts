// Webhooks are signed, but a body that was captured, or is late, can be delivered again at any
// time.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { automaticEvents, isHandled, subscribedEvents } from '../../src/domain/event.ts'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { examples, openDoor } from '../bot/door.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Installation, Repository } from '../support/codehost/tables.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const host = await startCodehost({ webhookUrl: 'http://127.0.0.1:1/' })
afterAll(() => host.stop())

let ctx: TestContext
let deliver: Awaited<ReturnType<typeof openDoor>>
let repository: Repository
let installation: Installation
let count = 0

beforeEach(async () => {
  ctx = testContext(db, { codehost: appCodehost(host) })
  deliver = await openDoor(db, ctx)
  repository = await host.addRepository({ owner: `owner-${(count += 1)}`, name: 'hello' })
  const found = host.tables.installations.find(({ account }) => account === repository.owner)
  if (!found) throw new Error('there is no installation')
  installation = found
  await syncInstallation(ctx, installation.id)
})

/** The webhook that is sent during a change at the code host. */
async function captured(event: string, act: () => Promise<unknown>) {
  const before = host.deliveries.length
  await act()
  const found = host.deliveries.slice(before).find((each) => each.event === event)
  if (!found) throw new Error(`no ${event} was sent`)
  return found.request.payload
}

const push = () =>
  captured('push', () => host.commit(repository, { files: { a: String((count += 1)) } }))

const storedAll = async () => {
  const counted = ['requests', 'repositories', 'installations', 'codehost_tokens', 'users'] as const
  return Promise.all(counted.map((table) => db.selectFrom(table).selectAll().execute()))
}

const stored = () =>
  db
    .selectFrom('repositories')
    .select(['name', 'private', 'owner_name', 'archived_at', 'deleted_at', 'active'])
    .where('codehost_id', '=', repository.id)
    .executeTakeFirstOrThrow()

test('a replayed webhook makes no private repository public', async () => {
  const old = await push()
  const publicized = await captured('repository', async () => {
    await host.setPrivate(repository, true)
    await host.setPrivate(repository, false)
    return host.edit(repository, { description: 'x' })
  })
  await deliver('push', old)
  const privatized = await captured('repository', () => host.setPrivate(repository, true))
  await deliver('repository', privatized)
  expect(await stored()).toMatchObject({ private: true })
  await deliver('push', old)
  expect(await stored()).toMatchObject({ private: true })
  await deliver('repository', { ...publicized, action: 'publicized' })
  await deliver('repository', { ...publicized, action: 'created' })
  expect(await stored()).toMatchObject({ private: true })
})

test('a repository is private as soon as an event reports it, even while the code host is unreachable', async () => {
  const privatized = await captured('repository', () => host.setPrivate(repository, true))
  const restore = host.failWhile({ kind: 'status', status: 503 }, /\/(repos|repositories)\//)
  await expect(deliver('repository', privatized)).rejects.toMatchObject({ kind: 'away' })
  expect(await stored()).toMatchObject({ private: true })
  restore()
})

test("a replayed webhook does not restore a repository's former name", async () => {
  const old = await push()
  const renamed = await captured('repository', () => host.rename(repository, 'bonjour'))
  await deliver('repository', renamed)
  expect(await deliver('push', old)).toMatchObject({ result: 'request' })
  expect(await stored()).toMatchObject({ name: 'bonjour' })
})

test('a replayed webhook neither unarchives an archived repository nor archives an active one', async () => {
  const archived = await captured('repository', () => host.setArchived(repository, true))
  const unarchived = await captured('repository', () => host.setArchived(repository, false))
  await deliver('repository', archived)
  expect(await stored()).toMatchObject({ archived_at: null })
  await host.setArchived(repository, true)
  await deliver('repository', archived)
  await deliver('repository', unarchived)
  expect(await stored()).toMatchObject({ archived_at: expect.any(Date) })
})

test('a repository is deleted only once it no longer exists at the code host', async () => {
  const edited = await captured('repository', () => host.edit(repository, { description: 'x' }))
  const deleted = { ...edited, action: 'deleted' }
  expect(await deliver('repository', deleted)).toMatchObject({
    result: 'ignored',
    outcome: expect.stringMatching(/ is not treated as deleted: the code host still shows it/),
  })
  expect(await stored()).toMatchObject({ deleted_at: null, active: true })
  await host.remove(repository)
  await deliver('repository', deleted)
  expect(await stored()).toMatchObject({ deleted_at: expect.any(Date), active: false })
  // The repository does not come back either.
  await deliver('repository', { ...edited, action: 'created' })
  await deliver('installation', await installed('created'))
  expect(await stored()).toMatchObject({ deleted_at: expect.any(Date) })
})

/** A webhook with the installation as it was when it was created, with another action. */
async function installed(action: string) {
  const found = host.deliveries.find(
    (each) => each.event === 'installation' && each.installation_id === installation.id,
  )
  return { ...found?.request.payload, action }
}

const installations = () =>
  db
    .selectFrom('installations')
    .select(['removed_at', 'suspended_at'])
    .where('codehost_id', '=', installation.id)
    .executeTakeFirstOrThrow()

test('repositories archived or deleted without an event are found by the look-up of the installation', async () => {
  const other = await host.addRepository({ owner: repository.owner.login, name: 'other' })
  await syncInstallation(ctx, installation.id)
  await host.setArchived(repository, true)
  await host.remove(other)
  await syncInstallation(ctx, installation.id)
  expect(await stored()).toMatchObject({ archived_at: expect.any(Date), deleted_at: null })
  const gone = await db
    .selectFrom('repositories')
    .select(['deleted_at', 'active'])
    .where('codehost_id', '=', other.id)
    .execute()
  expect(gone).toEqual([{ deleted_at: expect.any(Date), active: false }])
})

test('an outdated list of repositories undoes no later change', async () => {
  const real = ctx.codehosts.codehost
  if (!real?.installations) throw new Error('there is no code host')
  const { installations } = real
  const slow = {
    ...installations,
    async repositories(id: number) {
      const read = await installations.repositories(id)
      await deliver(
        'repository',
        await captured('repository', () => host.setPrivate(repository, true)),
      )
      return read
    },
  }
  const slowly = testContext(db, { codehost: { ...real, installations: slow } })
  await syncInstallation(slowly, installation.id)
  expect(await stored()).toMatchObject({ private: true })
})

test('a push after an unsuspension without an event is built', async () => {
  await db
    .updateTable('installations')
    .set({ suspended_at: new Date() })
    .where('codehost_id', '=', installation.id)
    .execute()
  expect(await deliver('push', await push())).toMatchObject({ result: 'request' })
  expect(await installations()).toMatchObject({ suspended_at: null })
})

test('an installation is removed or suspended only once the code host confirms it', async () => {
  for (const action of ['deleted', 'suspend']) {
    await deliver('installation', await installed(action))
    expect(await installations()).toEqual({ removed_at: null, suspended_at: null })
    expect(await stored()).toMatchObject({ active: true })
  }
  await host.suspend(installation)
  await deliver('installation', await installed('unsuspend'))
  expect(await installations()).toMatchObject({ suspended_at: expect.any(Date) })
  await host.suspend(installation, false)
  await host.uninstall(installation)
  await deliver('installation', await installed('deleted'))
  await deliver('installation', await installed('created'))
  expect(await installations()).toMatchObject({ removed_at: expect.any(Date) })
  expect(await stored()).toMatchObject({ active: false })
})

test('no repository is assigned to a removed installation', async () => {
  const old = await push()
  await host.uninstall(installation)
  await deliver('installation', await installed('deleted'))
  await host.install(repository.owner.login)
  const other = host.tables.installations.find(({ account }) => account === repository.owner)
  await syncInstallation(ctx, other?.id ?? 0)
  await deliver('push', old)
  const found = await db
    .selectFrom('repositories')
    .innerJoin('installations', 'installations.id', 'installation_id')
    .select('installations.codehost_id')
    .where('repositories.codehost_id', '=', repository.id)
    .execute()
  expect(found).toEqual([{ codehost_id: other?.id }])
})

// Signatures do not cover the header with the name of the event.
test.each([...subscribedEvents, ...automaticEvents])(
  'a body of another event has no effect as %s, and is not retried',
  async (event) => {
    // `membership` and `team` have the same effect; the code host confirms the content of
    // `repository`.
    const alike = [event, ...(event === 'team' ? ['membership'] : [])]
    const captured = examples.filter(({ name }) => !alike.includes(name) && isHandled(name, null))
    const pushed = { name: 'push', examples: [await push()] }
    const before = await storedAll()
    for (const { name, examples: bodies } of [...captured, ...(event === 'push' ? [] : [pushed])]) {
      for (const body of bodies.slice(0, 2)) {
        const { result, outcome } = (await deliver(event, body)) ?? { result: 'ignored' }
        expect([name, result, outcome]).toEqual([
          ...[name, expect.stringMatching(/ignored|unknown/), outcome],
        ])
      }
    }
    expect(await storedAll()).toEqual(before)
  },
)

test('the outcome names the missing member when a body does not match its event', async () => {
  const body = await push()
  expect(await deliver('pull_request', body)).toMatchObject({
    ...{ state: 'processed', result: 'ignored', attempts: 1 },
    outcome: 'the body does not match the event pull_request: it has no pull_request.head.sha',
  })
  expect(await deliver('github_app_authorization', { ...body, action: 'revoked' })).toMatchObject({
    outcome:
      'the body does not match the event github_app_authorization: it has a member repository',
  })
})

test('the creation of a branch is not treated as its deletion', async () => {
  const created = examples.find(({ name }) => name === 'create')?.examples[0]
  expect(await deliver('delete', created ?? {})).toMatchObject({
    ...{ result: 'ignored', attempts: 1 },
    outcome: 'the body does not match the event delete: it has a member master_branch',
  })
})

test("a replayed webhook does not restore an account's former name", async () => {
  const login = `org-${(count += 1)}`
  const organization = host.addOrganization({ login })
  const made = await host.addRepository({ owner: login, name: 'hello' })
  const there = host.tables.installations.find(({ account }) => account === made.owner)
  await syncInstallation(ctx, there?.id ?? 0)
  const first = await captured('organization', () =>
    host.renameOrganization(organization, `${login}-b`),
  )
  await host.renameOrganization(organization, `${login}-c`)
  await syncInstallation(ctx, there?.id ?? 0)
  expect(await deliver('organization', first)).toMatchObject({ result: 'ignored' })
  const names = await db
    .selectFrom('repositories')
    .select('owner_name')
    .where('codehost_id', '=', made.id)
    .execute()
  expect(names).toEqual([{ owner_name: `${login}-c` }])
})

test('an organization is deleted only once it no longer exists at the code host', async () => {
  const login = `org-${(count += 1)}`
  const organization = host.addOrganization({ login })
  const known = await make.organization(login)
  await db
    .updateTable('organizations')
    .set({ codehost_id: organization.id })
    .where('id', '=', known.id)
    .execute()
  const sender = { id: 1, login: 'someone', type: 'User' }
  const deleted = { action: 'deleted', organization: { id: organization.id, login }, sender }
  expect(await deliver('organization', deleted)).toMatchObject({ result: 'ignored' })
  const gone = () =>
    db
      .selectFrom('organizations')
      .select('deleted_at')
      .where('id', '=', known.id)
      .executeTakeFirstOrThrow()
  expect(await gone()).toEqual({ deleted_at: null })
})
