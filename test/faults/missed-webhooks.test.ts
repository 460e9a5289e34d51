// Changes at the code host are found even if the service was down or their webhooks were lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { catchUp } from '../../src/flow/catch-up/catch-up.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { databaseNow } from '../../src/store/sql/age.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { age } from '../support/age.ts'
import { appSettings, atRest, eventually, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { type Repository, slugOf } from '../support/codehost/tables.ts'
import { command } from '../support/command.ts'
import { testLog } from '../support/context.ts'
import { freshDatabase, ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { freePort } from '../support/ports.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const { connection: empty } = await freshDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-missed-'))
/** The time that the code host's clock shows while it is stopped. */
let stopped: Date | undefined
const host = await startCodehost({ now: () => stopped ?? new Date() })
const port = await freePort()
const env = {
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: String(port) },
  // Jobs do not matter here.
  ...{ ROLE: 'web,worker', MASTER_KEY: 'a'.repeat(64), ...appSettings(host) },
}
const config = readConfig(env)
const webhooks = `http://127.0.0.1:${port}/webhooks/codehost`

let service: Service | undefined

beforeAll(() => host.setWebhookUrl(webhooks))
afterEach(() => stop())
afterAll(async () => {
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<Service> {
  service = await startService(config, { log: testLog })
  return service
}

async function stop(): Promise<void> {
  await service?.stop()
  service = undefined
}

const files = { '.service.yml': 'script: make' }
let count = 0

/** A repository of which the service has seen the first push. */
async function known({ ctx }: Service, owner?: string): Promise<Repository> {
  const number = (count += 1)
  const place = { owner: owner ?? `owner-${number}`, name: `hello-${number}` }
  const repository = await host.addRepository(place)
  await eventually(async () => {
    const found = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(found).toContainEqual({ codehost_id: repository.id })
  })
  await host.commit(repository, { files })
  await atRest(db)
  await catchUp(ctx)
  return repository
}

/** The pushed shas with requests, by the names of branches, in order. */
async function requested({ id }: Repository) {
  await atRest(db)
  const rows = await db
    .selectFrom('requests')
    .innerJoin('repositories', 'repositories.id', 'requests.repository_id')
    .select(['ref', 'after_sha', 'event_type', 'head_commit'])
    .where('repositories.codehost_id', '=', id)
    .orderBy('requests.id')
    .execute()
  return rows.map(({ ref, after_sha, event_type, head_commit }) =>
    event_type === 'push' ? `${ref?.slice(11)} ${after_sha}` : `pull ${head_commit}`,
  )
}

test('webhooks sent while the service was down arrive once it is back, each once', async () => {
  const repository = await known(await start())
  const [first = ''] = await requested(repository)
  await stop()
  const second = await host.commit(repository, { files: { a: '1' } })
  const topic = await host.commit(repository, { branch: 'topic', files: { a: '2' } })
  await host.openPull(repository, { head: 'topic' })
  const { ctx } = await start()
  // Resent webhooks arrive immediately, in any order.
  const all = [first, `main ${second}`, `topic ${topic}`, `pull ${topic}`].toSorted()
  const sorted = async () => (await requested(repository)).toSorted()
  await eventually(async () => expect(await sorted()).toEqual(all))
  expect(await catchUp(ctx)).toMatchObject({ requested: [], pushes: [], unbuilt: [] })
  expect(await sorted()).toEqual(all)
})

test('pushes without a webhook are found by their branches within 15 minutes', async () => {
  const running = await start()
  const { ctx } = running
  const repository = await known(running)
  const [first = ''] = await requested(repository)
  // From now on, the next look-up is due in 15 minutes.
  await runDueTasks(ctx)
  host.setWebhookUrl(undefined)
  const second = await host.commit(repository, { files: { a: '1' } })
  const topic = await host.commit(repository, { branch: 'topic', files: { a: '2' } })
  host.setWebhookUrl(webhooks)
  await runDueTasks(ctx)
  expect(await requested(repository)).toEqual([first])
  await age(db, 15 * 60)
  await runDueTasks(ctx)
  const all = [first, `main ${second}`, `topic ${topic}`]
  await eventually(async () => expect(await requested(repository)).toEqual(all))
  await age(db, 15 * 60)
  await runDueTasks(ctx)
  expect(await requested(repository)).toEqual(all)
})

test('a webhook that arrives after its push was found builds nothing, a later webhook does', async () => {
  const running = await start()
  const repository = await known(running)
  const [first = ''] = await requested(repository)
  const release = host.holdWebhooks()
  await host.commit(repository, { files: { a: '1' } })
  const second = await host.commit(repository, { files: { a: '2' } })
  expect(await catchUp(running.ctx)).toMatchObject({ pushes: [{ ref: 'refs/heads/main' }] })
  expect(await requested(repository)).toEqual([first, `main ${second}`])
  await release((held) => held.filter(({ payload }) => payload.after === second))
  expect(await requested(repository)).toEqual([first, `main ${second}`])
  const third = await host.commit(repository, { files: { a: '3' } })
  expect(await requested(repository)).toEqual([first, `main ${second}`, `main ${third}`])
})

test('a branch that was deleted while no webhooks arrived is marked as deleted, and no longer counts', async () => {
  const running = await start()
  const repository = await known(running)
  const sha = await host.commit(repository, { files: { a: '1' } })
  await host.pushRef(repository, 'refs/heads/topic', { sha })
  await atRest(db)
  const { id } = await db
    .selectFrom('builds')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const by = { user: await factories(db).user(), token_id: null, address: '127.0.0.1' }
  await cancelBuild(running.ctx, by, id)
  await eventually(() =>
    expect(toldOf(host, repository, sha).at(-1)).toBe(
      'error: branch topic: The build was canceled',
    ),
  )
  await catchUp(running.ctx)
  host.setWebhookUrl(undefined)
  await host.pushRef(repository, 'refs/heads/topic')
  // Pushes are distinguished by the second.
  repository.pushed_at = new Date(repository.pushed_at.getTime() + 1000)
  host.setWebhookUrl(webhooks)
  await catchUp(running.ctx)
  const branches = await db
    .selectFrom('branches')
    .innerJoin('repositories', 'repositories.id', 'repository_id')
    .select(['branches.name', 'exists_on_codehost'])
    .where('repositories.codehost_id', '=', repository.id)
    .orderBy('branches.name')
    .execute()
  expect(branches).toEqual([
    { name: 'main', exists_on_codehost: true },
    { name: 'topic', exists_on_codehost: false },
  ])
  await eventually(() => expect(toldOf(host, repository, sha).at(-1)).toBe('pending: Build queued'))
})

/** The outcome of the newest request of a repository. */
async function newestRequest({ id }: Repository) {
  await atRest(db)
  return db
    .selectFrom('requests')
    .innerJoin('repositories', 'repositories.id', 'requests.repository_id')
    .select(['after_sha', 'sender_login', 'result', 'reason', 'requests.message'])
    .where('repositories.codehost_id', '=', id)
    .orderBy('requests.id', 'desc')
    .executeTakeFirstOrThrow()
}

/** A user with push access who is blocked here. */
async function blockedPusher(repository: Repository): Promise<string> {
  const { login, id } = host.addUser({ login: `eve-${(count += 1)}` })
  await host.setRole(repository, login, 'write')
  await db
    .insertInto('users')
    .values({ provider: 'codehost', codehost_id: id, login, blocked_at: new Date() })
    .execute()
  return login
}

describe('a push that is found by comparing branches', () => {
  const activity = /\/activity/

  async function found(by?: string, fails = false) {
    const running = await start()
    const repository = await known(running)
    const eve = await blockedPusher(repository)
    host.setWebhookUrl(undefined)
    const given = { files: { '.service.yml': 'script: make', a: '1' } }
    const sha = await host.commit(repository, { ...given, by: by ?? eve })
    host.setWebhookUrl(webhooks)
    const restore = fails ? host.failWhile({ kind: 'status', status: 404 }, activity) : () => {}
    await catchUp(running.ctx)
    const request = await newestRequest(repository)
    restore()
    return { running, repository, eve, sha, request }
  }

  test('is rejected if its pusher is blocked', async () => {
    const { eve, sha, request } = await found()
    expect(request).toEqual({
      ...{ after_sha: sha, sender_login: eve, result: 'rejected', reason: 'sender_blocked' },
      message: `not authorized: ${eve} is blocked here`,
    })
  })

  test('names its pusher, whom conditions see as well', async () => {
    const { login } = host.addUser({ login: `adam-${(count += 1)}` })
    const { sha, request } = await found(login)
    expect(request).toMatchObject({ after_sha: sha, sender_login: login, result: 'accepted' })
  })

  test('is rejected if its pusher is unknown and a user with push access is blocked', async () => {
    const { running, repository, eve, sha, request } = await found(undefined, true)
    expect(request).toEqual({
      ...{ after_sha: sha, sender_login: '', result: 'rejected', reason: 'sender_blocked' },
      message:
        'not authorized: the pusher is unknown, and at least one user with push access is blocked: request a build of the branch or tag, or push to it again',
    })
    await host.setRole(repository, eve, null)
    host.setWebhookUrl(undefined)
    const next = await host.commit(repository, { files: { a: '2' } })
    host.setWebhookUrl(webhooks)
    const restore = host.failWhile({ kind: 'status', status: 404 }, activity)
    await catchUp(running.ctx)
    restore()
    expect(await newestRequest(repository)).toMatchObject({
      ...{ after_sha: next, sender_login: '', result: 'accepted' },
    })
  })
})

test('the state of a branch at its first look-up is not built', async () => {
  const { ctx } = await start()
  host.setWebhookUrl(undefined)
  const repository = await host.addRepository({ owner: `owner-${(count += 1)}`, files })
  host.setWebhookUrl(webhooks)
  const installation = host.refTo(repository).installation ?? 0
  await ctx.enqueue('installation.sync', { installation })
  await eventually(async () => {
    const found = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(found).toContainEqual({ codehost_id: repository.id })
  })
  expect(await catchUp(ctx)).toMatchObject({ requested: [], pushes: [], unbuilt: [] })
  expect(await requested(repository)).toEqual([])
})

test.each([500, 422])(
  'the whole look-up is repeated after the code host responds with %i',
  async (status) => {
    const repository = await known(await start())
    const [first = ''] = await requested(repository)
    await stop()
    const second = await host.commit(repository, { files: { a: '1' } })
    const restore = host.failWhile({ kind: 'status', status }, /^POST .*\/attempts$/)
    const before = host.calls.length
    const { ctx } = await start()
    await eventually(() =>
      expect(host.calls.slice(before)).toContainEqual(
        expect.objectContaining({ call: expect.stringMatching(/\/attempts$/), status }),
      ),
    )
    restore()
    await catchUp(ctx)
    await eventually(async () =>
      expect(await requested(repository)).toEqual([first, `main ${second}`]),
    )
  },
)

test('a repository that the code host hides does not stop the look-up of others', async () => {
  const running = await start()
  const hidden = await known(running)
  const shown = await known(running, hidden.owner.login)
  const [first = ''] = await requested(shown)
  host.setWebhookUrl(undefined)
  const missed = await host.commit(hidden, { files: { a: '1' } })
  const second = await host.commit(shown, { files: { a: '2' } })
  host.setWebhookUrl(webhooks)
  const branches = new RegExp(`/(?:repositories/${hidden.id}|repos/${slugOf(hidden)})/branches`)
  const restore = host.failWhile({ kind: 'status', status: 404 }, branches)
  expect(await catchUp(running.ctx)).toMatchObject({ pushes: [{ sha: second }] })
  expect(await requested(shown)).toEqual([first, `main ${second}`])
  restore()
  expect(await catchUp(running.ctx)).toMatchObject({ pushes: [{ sha: missed }] })
})

test('a push within the same second as the last known one is found', async () => {
  const running = await start()
  stopped = new Date()
  try {
    const repository = await known(running)
    const [first = ''] = await requested(repository)
    host.setWebhookUrl(undefined)
    const second = await host.commit(repository, { files: { a: '1' } })
    host.setWebhookUrl(webhooks)
    expect(await catchUp(running.ctx)).toMatchObject({ pushes: [{ sha: second }] })
    expect(await requested(repository)).toEqual([first, `main ${second}`])
  } finally {
    stopped = undefined
  }
})

/** An address without a listener. */
const nowhere = 'http://127.0.0.1:1/webhooks/codehost'

test('webhooks missed for hours arrive once any webhook arrives again', async () => {
  const running = await start()
  const repository = await known(running)
  await host.commit(repository, { branch: 'topic', files: { a: '1' } })
  await atRest(db)
  const before = await requested(repository)
  // Everything so far happened five hours ago.
  const past = 5 * 60 * 60 * 1000
  const begin = Date.now() - past
  await age(db, past / 1000)
  // By the real time, the service itself would look for them now.
  await db.updateTable('tasks').set({ claimed_at: databaseNow }).execute()
  for (const each of host.deliveries) {
    each.delivered_at = new Date(each.delivered_at.getTime() - past)
  }
  const at = (minutes: number) => new Date(begin + minutes * 60 * 1000)
  try {
    stopped = at(0)
    host.setWebhookUrl(nowhere)
    // Pull requests cannot be found by comparing branches.
    await host.openPull(repository, { head: 'topic' })
    const attempts = host.deliveries.length
    for (const minutes of [0, 15, 30, 45, 60, 90, 120, 180]) {
      stopped = at(minutes)
      await catchUp({ ...running.ctx, now: () => at(minutes) })
    }
    // There is not an attempt in each run.
    expect(host.deliveries.length - attempts).toBeLessThan(6)
    host.setWebhookUrl(webhooks)
    stopped = at(185)
    const sha = await host.commit(repository, { files: { a: '2' } })
    stopped = at(195)
    await catchUp({ ...running.ctx, now: () => at(195) })
    const [, topic] = (before[1] ?? '').split(' ')
    await eventually(async () =>
      expect(await requested(repository)).toEqual([...before, `main ${sha}`, `pull ${topic}`]),
    )
  } finally {
    stopped = undefined
    host.setWebhookUrl(webhooks)
  }
})

test.each([/^GET \/app\/hook\/deliveries/, /\/attempts$/])(
  'branches are compared even if the code host fails at %s',
  async (call) => {
    const running = await start()
    const elsewhere = await known(running)
    const repository = await known(running)
    const before = await requested(repository)
    host.setWebhookUrl(nowhere)
    await host.commit(elsewhere, { files: { a: '1' } })
    host.setWebhookUrl(undefined)
    const sha = await host.commit(repository, { files: { a: '1' } })
    host.setWebhookUrl(webhooks)
    const restore = host.failWhile({ kind: 'status', status: 500 }, call)
    const found = await catchUp(running.ctx)
    restore()
    expect(found?.pushes.map((push) => push.sha)).toContain(sha)
    expect(found?.problem).toMatch(/responded with 500/)
    expect(await requested(repository)).toEqual([...before, `main ${sha}`])
  },
)

test('webhooks sent before the service knew the repository are left alone', async () => {
  const repository = await host.addRepository({ owner: `owner-${(count += 1)}`, files })
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-fresh-'))
  const settings = { ...env, DATA_DIR: folder, DATABASE_URL: urlOf(empty) }
  service = await startService(readConfig(settings), { log: testLog })
  const { ctx } = service
  await eventually(async () => {
    const found = await ctx.db.selectFrom('repositories').select('codehost_id').execute()
    expect(found).toContainEqual({ codehost_id: repository.id })
  })
  expect(await catchUp(ctx)).toMatchObject({ requested: [], pushes: [], unbuilt: [] })
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

test('build-service catch-up finds missed pushes as well, for the next service to build', async () => {
  const repository = await known(await start())
  const [first = ''] = await requested(repository)
  await stop()
  host.setWebhookUrl(undefined)
  const second = await host.commit(repository, { files: { a: '1' } })
  const found = await command(['catch-up'], { env })
  expect(found).toMatchObject({
    code: 0,
    stdout: `a push to refs/heads/main of ${repository.owner.login}/${repository.name} was found: ${second}\n`,
  })
  expect((await command(['catch-up'], { env })).stdout).toBe('nothing was missed\n')
  host.setWebhookUrl(webhooks)
  await start()
  await eventually(async () =>
    expect(await requested(repository)).toEqual([first, `main ${second}`]),
  )
})
