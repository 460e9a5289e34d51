import { readFileSync } from 'node:fs'
import type { Probot } from 'probot'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { bot } from '../../src/bot/bot.ts'
import { automaticEvents, isHandled, subscribedEvents } from '../../src/domain/event.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { noon, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type Example, exampleOf, examples, openDoor } from './door.ts'

const db = await testDatabase()
const make = factories(db)

const ctx = testContext(db)
const deliver = await openDoor(db, ctx)

beforeEach(() => {
  ctx.enqueued.length = 0
})

const manifest = parse(readFileSync(new URL('../../app.yml', import.meta.url), 'utf8')) as {
  default_events: string[]
}

test('the manifest subscribes to the events that the bot handles, except automatic ones', () => {
  const followed = new Set<string>()
  const app = { on: (name: string) => void followed.add(name.split('.')[0] ?? '') }
  bot(app as unknown as Probot, {
    receive: async () => {},
    origin: () => ({ delivery_id: null, provider: 'codehost' }),
  })
  const known = [...subscribedEvents, ...automaticEvents]
  expect([...followed].toSorted(), 'subscribedEvents in src/domain/event.ts').toEqual(
    known.toSorted(),
  )
  const listed = manifest.default_events
  expect(listed.toSorted(), 'default_events in app.yml').toEqual([...subscribedEvents].toSorted())
})

async function knows({ repository }: Example): Promise<Repository | undefined> {
  return repository && make.repository({ codehost_id: repository.id })
}

const repeated = /^asked to repeat checks of \w+, which has no request here$/
const unbuilding = /^a pull request that was \w+ builds nothing$/

/** The outcome of every example, by event and action. */
const outcomes: Readonly<Record<string, RegExp>> = {
  'check_run rerequested': repeated,
  'check_suite rerequested': repeated,
  'check_run requested_action': /^this check has no button \S+$/,
  create: /^tag simple-tag exists now$/,
  delete: /^tag simple-tag was deleted$/,
  github_app_authorization: /^\w+ is not known here$/,
  installation: /^the app is installed for Codertocat: /,
  'installation deleted': /^the app was uninstalled from octocat$/,
  'installation suspend': /^the app is suspended for Codertocat$/,
  installation_repositories: /^the app is installed for \w+: \d repositor(y|ies) added, 0 removed$/,
  merge_group: /^gh-readonly-queue\/.* has left the merge queue \(\w+\)$/,
  member: /^\w+ is not known here$/,
  membership: /^\w+ is not known here$/,
  organization: /^\w+ of the organization \w+$|^\w+ is not known here$/,
  'organization deleted': /^the organization \w+ is unknown here$/,
  'organization renamed': /^the account \w+ is called \w+ now: 0 repositories renamed$/,
  team: /^team [\w-]+ of \w+ has changed: 0 users are looked up again$/,
  'merge_group checks_requested': /^created request 1$/,
  pull_request: unbuilding,
  'pull_request opened': /^created request 1$/,
  'pull_request reopened': /^created request 1$/,
  'pull_request synchronize': /^created request 1$/,
  push: /^created request 1$|^tag simple-tag was deleted$/,
  repository: /^repository \w+\/[\w-]+ was \w+$/,
}

describe('every example payload of the code host', () => {
  const cases = examples.flatMap(({ name, examples: each }) =>
    each.map((payload, index) => ({ name, payload, index })),
  )

  test.each(cases.filter(({ name, payload }) => isHandled(name, payload.action ?? null)))(
    '$name $payload.action ($index) has its expected effect',
    async ({ name, payload }) => {
      await knows(payload)
      expect(await deliver(name, payload)).toMatchObject({
        state: 'processed',
        outcome: expect.stringMatching(
          outcomes[`${name} ${payload.action}`] ??
            outcomes[name] ??
            /what `outcomes` in this test says of the event/,
        ),
      })
    },
  )

  test('of another event is accepted and ignored', async () => {
    const others = cases.filter(({ name, payload }) => !isHandled(name, payload.action ?? null))
    for (const { name, payload } of others) await deliver(name, payload)
    expect(others.length).toBeGreaterThan(100)
    expect(await db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })
})

const requests = () => db.selectFrom('requests').select(['event_type', 'action']).execute()

describe('effects of events:', () => {
  test('a push creates a request', async () => {
    const push = examples
      .find(({ name }) => name === 'push')
      ?.examples.find(({ deleted }) => deleted === false)
    await knows(push ?? {})
    await deliver('push', push)
    expect(await requests()).toEqual([{ event_type: 'push', action: null }])
  })

  test('an opened pull request creates a request', async () => {
    const payload = exampleOf('pull_request', 'opened')
    await knows(payload)
    await deliver('pull_request', payload)
    expect(await requests()).toEqual([{ event_type: 'pull_request', action: 'opened' }])
  })

  test('a closed pull request only updates the pull request', async () => {
    const payload = exampleOf('pull_request', 'closed')
    await knows(payload)
    await deliver('pull_request', payload)
    expect(await requests()).toEqual([])
    expect(await db.selectFrom('pull_requests').select('state').execute()).toEqual([
      { state: 'closed' },
    ])
  })

  test('a created or deleted tag updates the tag', async () => {
    const payload = exampleOf('create')
    await knows(payload)
    await deliver('create', payload)
    const tags = () => db.selectFrom('tags').select(['name', 'exists_on_codehost']).execute()
    expect(await tags()).toEqual([{ name: 'simple-tag', exists_on_codehost: true }])
    await deliver('delete', exampleOf('delete'))
    expect(await tags()).toEqual([{ name: 'simple-tag', exists_on_codehost: false }])
  })

  test('a created or deleted branch updates the branch', async () => {
    const branch = { ref: 'feature/a', ref_type: 'branch' }
    await knows(exampleOf('create'))
    await deliver('create', { ...exampleOf('create'), ...branch })
    const branches = () =>
      db.selectFrom('branches').select(['name', 'exists_on_codehost']).execute()
    expect(await branches()).toEqual([{ name: 'feature/a', exists_on_codehost: true }])
    await deliver('delete', { ...exampleOf('delete'), ...branch })
    expect(await branches()).toEqual([{ name: 'feature/a', exists_on_codehost: false }])
  })

  test('a push without the owner of its repository keeps the known owner', async () => {
    const push = exampleOf('push')
    const repository = { ...push.repository, owner: null, name: 'renamed' }
    await make.repository({ codehost_id: push.repository?.id ?? 0 })
    await deliver('push', { ...push, repository })
    expect(await db.selectFrom('repositories').selectAll().execute()).toMatchObject([
      { owner_name: 'octavia', owner_id: 1, name: 'renamed' },
    ])
    const users = await db.selectFrom('users').select('login').execute()
    expect(users).toEqual([{ login: 'octavia' }])
  })

  test('a push to an unknown repository is a failure, so that it can be redelivered', async () => {
    expect(await deliver('push', exampleOf('push'))).toMatchObject({
      state: 'failed',
      outcome: 'unknown repository Hello-World',
    })
  })
})

const repositories = () =>
  db
    .selectFrom('repositories')
    .select(['owner_name', 'name', 'private', 'active', 'managed_by_installation'])
    .select(['installation_id', 'archived_at', 'deleted_at', 'default_branch_name'])
    .orderBy('id')
    .execute()

const installations = () =>
  db
    .selectFrom('installations')
    .select(['codehost_id', 'owner_type', 'repository_selection', 'removed_at', 'suspended_at'])
    .execute()

describe('an installation', () => {
  const created = exampleOf('installation', 'created')
  const number = (created.installation as { id: number }).id
  const of = (action: string) => ({ ...created, action })

  test('activates its repositories, and enqueues a look-up of the rest', async () => {
    await deliver('installation', created)
    expect(await installations()).toEqual([
      {
        codehost_id: number,
        owner_type: 'User',
        repository_selection: 'selected',
        removed_at: null,
        suspended_at: null,
      },
    ])
    expect(await repositories()).toMatchObject([
      {
        owner_name: 'Codertocat',
        name: 'Hello-World',
        private: false,
        active: true,
        managed_by_installation: true,
        installation_id: 1,
      },
    ])
    expect(ctx.enqueued).toEqual([{ name: 'installation.sync', payload: { installation: number } }])
  })

  test('activates no repositories if the operator has disabled that', async () => {
    Object.assign(ctx.config, { activateInstalled: false })
    onTestFinished(() => void Object.assign(ctx.config, { activateInstalled: true }))
    await deliver('installation', created)
    expect(await repositories()).toMatchObject([{ active: false, managed_by_installation: true }])
  })

  test('does not reactivate repositories that a user deactivated', async () => {
    await deliver('installation', created)
    await db.updateTable('repositories').set({ active: false }).execute()
    await deliver('installation', of('created'))
    expect(await repositories()).toMatchObject([{ active: false }])
  })

  test('that is deleted deactivates its repositories, and cancels waiting jobs', async () => {
    await deliver('installation', created)
    const repository = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
    const build = await make.build({ repository })
    const waiting = await make.job({ build })
    const running = await make.job({ build, state: 'started' })

    await deliver('installation', of('deleted'))
    expect(await installations()).toMatchObject([{ removed_at: noon }])
    expect(await repositories()).toMatchObject([
      { active: false, managed_by_installation: false, installation_id: null, deleted_at: null },
    ])
    expect(await db.selectFrom('jobs').select(['id', 'state']).orderBy('id').execute()).toEqual([
      { id: waiting.id, state: 'canceled' },
      { id: running.id, state: 'started' },
    ])
  })

  test('that was deleted can be created again', async () => {
    for (const action of ['created', 'deleted', 'created']) {
      await deliver('installation', of(action))
    }
    expect(await installations()).toMatchObject([{ removed_at: null }])
    expect(await repositories()).toMatchObject([{ active: true, managed_by_installation: true }])
  })

  test('creates no requests while it is suspended', async () => {
    await deliver('installation', created)
    const suspended_at = '2026-01-02T12:00:00Z'
    await deliver('installation', {
      ...of('suspend'),
      installation: { ...(created.installation as object), suspended_at },
    })
    expect(await installations()).toMatchObject([{ suspended_at: noon }])
    const [{ id }] = created.repositories as [{ id: number }]
    const push = exampleOf('push')
    const there = { ...push, repository: { ...push.repository, id } }
    expect(await deliver('push', there)).toMatchObject({
      outcome: 'the app is suspended for Codertocat: unsuspend it there',
    })

    await deliver('installation', of('unsuspend'))
    expect(await installations()).toMatchObject([{ suspended_at: null }])
    const next = { ...there, repository: { ...there.repository, pushed_at: 2 } }
    expect(await deliver('push', next)).toMatchObject({ outcome: 'created request 1' })
  })

  test('can gain and lose repositories', async () => {
    await deliver('installation', created)
    const more = { ...exampleOf('installation_repositories', 'added') }
    await deliver('installation_repositories', { ...more, installation: created.installation })
    expect(await repositories()).toMatchObject([
      { name: 'Hello-World', active: true },
      { name: 'Space', active: true, managed_by_installation: true },
    ])
    await deliver('installation_repositories', {
      ...more,
      action: 'removed',
      installation: created.installation,
      repositories_added: [],
      repositories_removed: created.repositories,
    })
    expect(await repositories()).toMatchObject([
      { name: 'Hello-World', active: false, managed_by_installation: false },
      { name: 'Space', active: true, managed_by_installation: true },
    ])
  })
})

describe('an account with an installation', () => {
  test('keeps its repositories when it is renamed', async () => {
    await make.repository({ name: 'hello' })
    await make.repository({ name: 'other', owner_name: 'ada' })
    const { installation, sender } = exampleOf('installation', 'created') as unknown as {
      installation: { id: number; account: object }
      sender: object
    }
    const renamed = {
      action: 'renamed',
      account: { ...installation.account, id: 1, login: 'octavia-two' },
      changes: { login: { from: 'octavia' } },
      target_type: 'User',
      installation: { id: installation.id },
      sender,
    }
    expect(await deliver('installation_target', renamed)).toMatchObject({
      result: 'noted',
      outcome: 'the account octavia is called octavia-two now: 1 repository renamed',
    })
    expect(await repositories()).toMatchObject([
      { owner_name: 'octavia-two', name: 'hello' },
      { owner_name: 'ada', name: 'other' },
    ])
    expect(await deliver('installation_target', renamed)).toMatchObject({
      outcome: 'the account octavia is called octavia-two now: 0 repositories renamed',
    })
  })
})

describe('a repository', () => {
  async function after(action: string, changes: object = {}, given: object = {}) {
    const payload = exampleOf('repository', 'edited')
    await make.repository({ codehost_id: payload.repository?.id ?? 0, ...given })
    await deliver('repository', {
      ...payload,
      action,
      repository: { ...payload.repository, ...changes },
    })
    const [repository] = await repositories()
    return repository
  }

  test('that was renamed is stored with its new name', async () => {
    expect(await after('renamed', { name: 'bonjour' })).toMatchObject({ name: 'bonjour' })
  })

  test('that was edited is stored with its new default branch', async () => {
    expect(await after('edited', { default_branch: 'trunk' })).toMatchObject({
      default_branch_name: 'trunk',
    })
  })

  test.each([
    ['privatized', true],
    ['publicized', false],
  ])('that was %s is stored with its new visibility', async (action, hidden) => {
    expect(await after(action, { private: hidden }, { private: !hidden })).toMatchObject({
      private: hidden,
    })
  })

  test('that was archived is not built, until it is unarchived', async () => {
    expect(await after('archived', { archived: true })).toMatchObject({
      archived_at: expect.any(Date),
      active: true,
    })
    const { repository } = exampleOf('repository', 'edited')
    const push = {
      ...exampleOf('push'),
      repository: { ...exampleOf('push').repository, archived: true },
    }
    Object.assign(push.repository, { id: repository?.id })
    expect(await deliver('push', push)).toMatchObject({
      outcome: expect.stringMatching(
        / is archived on GitHub: unarchive it there to resume builds$/,
      ),
    })
    await deliver('repository', { ...exampleOf('repository', 'edited'), action: 'unarchived' })
    expect(await repositories()).toMatchObject([{ archived_at: null }])
  })

  test('that was deleted is hidden, and its jobs are canceled', async () => {
    const payload = exampleOf('repository', 'edited')
    const repository = await make.repository({ codehost_id: payload.repository?.id ?? 0 })
    await make.job({ build: await make.build({ repository }), state: 'started' })
    await deliver('repository', { ...payload, action: 'deleted' })
    expect(await repositories()).toMatchObject([{ deleted_at: expect.any(Date), active: false }])
    expect(await db.selectFrom('jobs').select('state').execute()).toEqual([{ state: 'canceled' }])
  })

  test('that was created is stored, and built if the app is installed on all repositories', async () => {
    const payload = exampleOf('repository', 'created')
    await deliver('repository', payload)
    expect(await repositories()).toMatchObject([{ active: false, managed_by_installation: false }])

    const owner = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
    await make.installation(owner, { repository_selection: 'all' })
    const { id: _id, ...again } = payload.repository ?? { id: 0 }
    await deliver('repository', { ...payload, repository: { ...again, id: 99 } })
    expect((await repositories()).at(-1)).toMatchObject({
      active: true,
      managed_by_installation: true,
      installation_id: 1,
    })
  })

  test('that was transferred is built if the app is installed at its new owner', async () => {
    const payload = exampleOf('repository', 'transferred')
    await make.repository({ codehost_id: payload.repository?.id ?? 0 })
    await deliver('repository', payload)
    expect(await repositories()).toMatchObject([{ owner_name: 'Octocoders', active: false }])

    const owner = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
    await make.installation(owner)
    await db.updateTable('repositories').set({ active: true }).execute()
    await deliver('repository', payload)
    expect(await repositories()).toMatchObject([
      { active: true, managed_by_installation: true, installation_id: 1 },
    ])
  })
})
