// A repository that is archived at the code host accepts no statuses there, and is no longer built.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { User } from '../../src/domain/owner.ts'
import { sweep } from '../../src/flow/upkeep/sweep.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { requestedSyncs } from '../../src/store/installations/installation-syncs.ts'
import { putUser } from '../../src/store/people/users.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { age } from '../support/age.ts'
import { appSettings, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { type Repository, slugOf } from '../support/codehost/tables.ts'
import { command } from '../support/command.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-archived-'))
const host = await startCodehost()
const env = {
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0' },
  // Builds wait, until they are canceled.
  ...{ ROLE: 'web,worker', MASTER_KEY: 'a'.repeat(64), ...appSettings(host) },
}

let service: Service
let user: User
let token: string
let repository: Repository
let id: number
let build: { id: number; sha: string; request_id: number }
let count = 0

beforeAll(async () => {
  service = await startService(readConfig(env), { log: testLog })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
  const { id: codehost_id, login } = host.addUser({ login: 'pusher' })
  user = await putUser(db, { provider: 'codehost', codehost_id, login })
  token = await make.token(user)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A repository with a waiting build, as its commit shows. */
beforeEach(prepare)

async function prepare(): Promise<void> {
  // A look-up that falls due during a test would discover the state that the test holds back.
  await runDueTasks(service.ctx)
  repository = await host.addRepository({ owner: `owner-${(count += 1)}` })
  await eventually(async () => {
    const found = await db
      .selectFrom('repositories')
      .select('id')
      .where('codehost_id', '=', repository.id)
      .executeTakeFirst()
    id = found?.id ?? 0
    expect(id).not.toBe(0)
  })
  await host.setRole(repository, user.login, 'write')
  await make.permission(user, { id }, 'push')
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: make' } })
  await eventually(async () => {
    expect(shown(sha)).toEqual(['pending'])
    await isReported()
    expect(await requestedSyncs(db, 0)).toEqual([])
  })
  const made = await db
    .selectFrom('builds')
    .select(['id', 'request_id'])
    .where('repository_id', '=', id)
    .executeTakeFirstOrThrow()
  build = { ...made, sha }
}

const reason = () =>
  `${slugOf(repository)} is archived on GitHub Enterprise Server: unarchive it there to resume builds`

/** The states that a commit has shown, oldest first. */
const shown = (sha: string) =>
  host
    .statuses(repository, sha)
    .map(({ state }) => state)
    .toReversed()

const posts = () =>
  host.calls.filter(({ call }) => /^(?:POST|PATCH) .*\/(?:statuses|check-runs)\b/.test(call)).length

const unreported = () =>
  db
    .selectFrom('outbox')
    .select(['attempts', 'error', 'refused_at'])
    .where('published_at', 'is', null)
    .execute()

async function isReported(): Promise<void> {
  expect(await unreported()).toEqual([])
}

async function call(line: string, body?: object, version = '3') {
  const [method = 'GET', target = ''] = line.split(' ')
  const response = await fetch(`${service.localUrl}${target}`, {
    method,
    headers: {
      authorization: `token ${token}`,
      'content-type': 'application/json',
      ...(version === '3'
        ? { 'service-api-version': '3' }
        : { accept: 'application/vnd.service.2.1+json' }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const page = async () =>
  (
    await fetch(`${service.localUrl}/${slugOf(repository)}`, { headers: { accept: 'text/html' } })
  ).text()

async function archive(archived: boolean): Promise<void> {
  await host.setArchived(repository, archived)
  await isKnown(archived)
}

const isKnown = (archived: boolean) =>
  eventually(async () => {
    const found = await db
      .selectFrom('repositories')
      .select('archived_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(found.archived_at !== null).toBe(archived)
  })

const cancel = () => call(`POST /build/${build.id}/cancel`)

describe('statuses and checks of an archived repository', () => {
  test('are not attempted, and are posted once the repository is unarchived', async () => {
    await archive(true)
    const before = posts()
    expect(await cancel()).toMatchObject({ status: 202 })
    await sweep(service.ctx, 0)
    await age(db, 24 * 60 * 60)
    await sweep(service.ctx, 0)
    const rows = await unreported()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ attempts: 0, error: null, refused_at: null })
    expect(posts()).toBe(before)
    expect(shown(build.sha)).toEqual(['pending'])
    expect(await page()).toContain(reason())

    await archive(false)
    await sweep(service.ctx, 0)
    await eventually(isReported)
    expect(shown(build.sha).at(-1)).toBe('error')
    expect(await page()).not.toContain(reason())
  })

  test('are paused even if the code host refused them before the archiving was known', async () => {
    const release = host.holdWebhooks()
    onTestFinished(() => release())
    await host.setArchived(repository, true)
    expect(await cancel()).toMatchObject({ status: 202 })
    await eventually(async () => {
      expect(await unreported()).toContainEqual(
        expect.objectContaining({ error: expect.stringContaining('was archived') }),
      )
    })
    // A token that is a minute old is considered valid.
    await db
      .updateTable('outbox')
      .set({ refused_at: new Date() })
      .where('error', 'is not', null)
      .execute()
    expect(await page()).toContain('could not be posted to the code host')
    await release()
    await isKnown(true)
    const before = posts()
    // It would be retried hourly.
    await age(db, 8 * 24 * 60 * 60)
    await sweep(service.ctx, 0)
    expect(await page()).not.toContain('could not be posted to the code host')
    expect(posts()).toBe(before)

    await archive(false)
    await sweep(service.ctx, 0)
    await eventually(isReported)
    expect(shown(build.sha).at(-1)).toBe('error')
  })
})

describe('an archived repository', () => {
  test('refuses requests by API, with the reason', async () => {
    await archive(true)
    const refused = { error_type: 'repository_inactive', error_message: reason() }
    expect(await call(`POST /repo/${id}/requests`)).toMatchObject({ status: 406, body: refused })
    const requests = await db
      .selectFrom('requests')
      .select('event_type')
      .where('repository_id', '=', id)
      .execute()
    expect(requests).toEqual([{ event_type: 'push' }])
    await archive(false)
    expect(await call(`POST /repo/${id}/requests`)).toMatchObject({ status: 202 })
  })

  test('refuses to restart a build or job, through both API generations and checks', async () => {
    await cancel()
    await archive(true)
    const { id: job } = await db
      .selectFrom('jobs')
      .select('id')
      .where('build_id', '=', build.id)
      .executeTakeFirstOrThrow()
    const third = { error_type: 'unprocessable_entity', error_message: reason() }
    for (const line of [`POST /build/${build.id}/restart`, `POST /job/${job}/restart`]) {
      expect(await call(line)).toMatchObject({ status: 422, body: third })
    }
    const second = { flash: [{ error: `This can not be restarted: ${reason()}.` }] }
    for (const [line, body] of [
      ['POST /requests', { build_id: build.id }],
      ['POST /requests', { job_id: job }],
      [`POST /builds/${build.id}/restart`],
      [`POST /jobs/${job}/restart`],
    ] as const) {
      expect(await call(line, body, '2')).toMatchObject({ status: 400, body: second })
    }
    const [run] = host.checkRuns(repository, build.sha)
    if (!run) throw new Error('the commit has no check')
    await host.rerequest(run)
    expect(await outcome('check_run')).toContain(reason())
    const states = await db
      .selectFrom('builds')
      .select('state')
      .where('repository_id', '=', id)
      .execute()
    expect(states).toEqual([{ state: 'canceled' }])

    await archive(false)
    expect(await call(`POST /build/${build.id}/restart`)).toMatchObject({ status: 202 })
  })

  test("refuses to approve a fork's pull request", async () => {
    const stranger = `stranger-${count}`
    const fork = await host.fork(repository, stranger)
    await host.commit(fork, { branch: 'topic', files: { topic: 'x' }, by: stranger })
    await host.openPull(repository, { head: 'topic', from: fork, by: stranger })
    const approve = await eventuallyFound(async () => {
      const request = await db
        .selectFrom('requests')
        .select('id')
        .where('repository_id', '=', id)
        .where('result', '=', 'accepted')
        .where('event_type', '=', 'pull_request')
        .executeTakeFirst()
      return request && `POST /repo/${id}/request/${request.id}/approve`
    })
    await archive(true)
    expect(await call(approve)).toMatchObject({ status: 422, body: { error_message: reason() } })
    await archive(false)
    expect(await call(approve)).toMatchObject({ status: 200 })
  })

  test('ignores pushes, as the command line reports', async () => {
    await archive(true)
    await host.commit(repository, { files: { a: '1' } })
    expect(await outcome('push')).toBe(reason())
    const listed = await command(['deliveries', '--repository', slugOf(repository)], { env })
    expect(listed.stdout).toContain(reason())
    // The page reports it once, however many pushes there were.
    expect((await page()).split(reason())).toHaveLength(2)
    await archive(false)
    const sha = await host.commit(repository, { files: { a: '2' } })
    await eventually(() => expect(shown(sha)).toEqual(['pending']))
  })

  test('pauses its crons', async () => {
    const interval = { 'cron.interval': 'daily' }
    const set = await call(`POST /repo/${id}/branch/main/cron`, interval)
    expect(set).toMatchObject({ status: 200 })
    const { id: cron } = set.body as { id: number }
    await archive(true)
    const seconds = 25 * 60 * 60
    await age(db, seconds)
    await runDueTasks(service.ctx)
    const paused = await call(`GET /cron/${cron}`)
    expect(paused.body).toMatchObject({ active: true, inactive_reason: null, last_run: null })
    await archive(false)
    await age(db, seconds)
    await runDueTasks(service.ctx)
    await eventually(async () => {
      const runs = await db
        .selectFrom('requests')
        .select('event_type')
        .where('repository_id', '=', id)
        .where('event_type', '=', 'cron')
        .execute()
      expect(runs).toEqual([{ event_type: 'cron' }])
    })
  })
})

/** The outcome of the newest webhook of this kind. */
async function outcome(event: string): Promise<string> {
  return eventuallyFound(async () => {
    const found = await db
      .selectFrom('deliveries')
      .select('outcome')
      .where('event', '=', event)
      .where('repository_codehost_id', '=', repository.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return found?.outcome ?? undefined
  })
}

async function eventuallyFound<T>(find: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined
  await eventually(async () => {
    found = await find()
    expect(found).toBeDefined()
  })
  return found as T
}
