import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../src/domain/build.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Repository } from '../../src/domain/repository.ts'
import type { FlowConfig } from '../../src/flow/context.ts'
import { deleteExpired } from '../../src/flow/upkeep/retention.ts'
import { createServer } from '../../src/http/server.ts'
import { announce } from '../../src/store/outbox/outbox.ts'
import { storeRawConfigs } from '../../src/store/requests/raw-configs.ts'
import { json } from '../../src/store/tables.ts'
import { caller } from '../http/door.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)

const days = (count: number) => count * 24 * 60 * 60

type Limits = Partial<Pick<FlowConfig, 'logDays' | 'buildDays' | 'buildsKept'>>
const retain = (limits: Limits) => deleteExpired({ ...ctx, config: { ...ctx.config, ...limits } })

let repository: Repository

beforeEach(async () => {
  repository = await make.repository({ owner_name: 'octavia', name: 'hello' })
})

/** A build that finished just now, with a job and its log. */
async function finished(given: Parameters<typeof make.build>[0] = {}) {
  const now = new Date()
  const build = await make.build({ repository, state: 'passed', finished_at: now, ...given })
  await db
    .updateTable('requests')
    .set({ finished_at: now })
    .where('id', '=', build.request_id)
    .execute()
  const job = await make.job({ build, state: 'passed', finished_at: now })
  await make.log(job, 'hello\n')
  return { build, job }
}

const numbers = async (of = repository) =>
  (
    await db
      .selectFrom('builds')
      .select('number')
      .where('repository_id', '=', of.id)
      .orderBy('number')
      .execute()
  ).map(({ number }) => number)

const branch = (
  name: string,
  given: { last_build_id?: number; exists_on_codehost?: boolean } = {},
) =>
  db
    .insertInto('branches')
    .values({ repository_id: repository.id, name, last_build_id: null, ...given })
    .execute()

const set = (of: Repository, values: object) =>
  db
    .insertInto('repository_settings')
    .values({ repository_id: of.id, values: json(values) })
    .execute()

describe('builds', () => {
  test('are all kept by default', async () => {
    await finished()
    await age(db, days(4000))
    await retain({})
    expect(await numbers()).toEqual([1])
  })

  test('are deleted with their requests, jobs and logs after BUILD_DAYS', async () => {
    await finished()
    await age(db, days(20))
    await finished()
    await age(db, days(11))
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([2])
    for (const table of ['requests', 'jobs', 'logs', 'commits'] as const) {
      const { count } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect({ table, count }).toEqual({ table, count: 1 })
    }
  })

  test('are kept while a branch, a pull request or an unfinished job needs them', async () => {
    const { build: ofBranch } = await finished()
    await branch('dev', { last_build_id: ofBranch.id })
    const { build: ofLostBranch } = await finished()
    await branch('lost', { last_build_id: ofLostBranch.id, exists_on_codehost: false })
    await make.build({ repository, state: 'started', started_at: new Date() })
    const { build: withOpenJob } = await finished({ fast_finish: true })
    await make.job({ build: withOpenJob, state: 'started' })
    await make.pullBuild({ repository, state: 'passed' })
    const { build: last } = await finished()
    await db
      .updateTable('repositories')
      .set({ last_build_id: last.id })
      .where('id', '=', repository.id)
      .execute()
    await finished()
    await age(db, days(31))
    await retain({ buildDays: 30 })
    // Build 2 was of a deleted branch, and build 7 is not needed by anything.
    expect(await numbers()).toEqual([1, 3, 4, 5, 6])
    const found = await db.selectFrom('branches').select(['name', 'last_build_id']).execute()
    expect(found).toContainEqual({ name: 'lost', last_build_id: null })
  })

  test('of a pull request are deleted once it is closed', async () => {
    await make.pullBuild({ repository, state: 'passed' })
    await age(db, days(31))
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([1])
    await db.updateTable('pull_requests').set({ state: 'closed' }).execute()
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([])
  })

  test('are kept while a report about them is pending', async () => {
    const { build } = await finished()
    const { sha } = await db
      .selectFrom('commits')
      .select('sha')
      .where('id', '=', build.commit_id)
      .executeTakeFirstOrThrow()
    await announce(db, [
      { kind: 'check:config', stream: 'status:1', payload: { repository_id: repository.id, sha } },
    ])
    await age(db, days(31))
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([1])
    await db.updateTable('outbox').set({ published_at: new Date() }).execute()
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([])
  })

  test('are deleted in more than one step, except the newest BUILDS_KEPT of each branch', async () => {
    await branch('dev')
    await branch('gone', { exists_on_codehost: false })
    const of = await db.selectFrom('branches').select(['id', 'name']).execute()
    const idOf = (name: string) => of.find((each) => each.name === name)?.id ?? 0
    const now = { repository, state: 'passed', finished_at: new Date() } as const
    for (let count = 0; count < 116; count += 1) {
      await make.build({ ...now, branch_id: idOf('dev') })
    }
    await make.build({ ...now, branch_id: idOf('dev'), event_type: 'cron' })
    await make.build({ ...now, branch_id: idOf('gone') })
    const pull = await make.pullBuild({ ...now, branch_id: idOf('dev') })
    await db.updateTable('pull_requests').set({ state: 'closed' }).execute()
    await age(db, days(31))
    await retain({ buildsKept: 3 })
    expect(await numbers()).toHaveLength(119)
    await retain({ buildDays: 30, buildsKept: 3 })
    expect(await numbers()).toEqual([115, 116, 117])
    expect(pull.number).toBe(119)
    await set(repository, { builds_kept: 1 })
    await retain({ buildDays: 30, buildsKept: 3 })
    expect(await numbers()).toEqual([117])
  })

  test('are kept until the first of the two limits', async () => {
    const [short, long] = [
      await make.repository({ owner_name: 'octavia', name: 'short' }),
      await make.repository({ owner_name: 'octavia', name: 'long' }),
    ]
    await set(short, { build_days: 10, builds_kept: 5 })
    await set(long, { build_days: 400 })
    for (const of of [repository, short, long]) await finished({ repository: of })
    await age(db, days(11))
    await retain({ buildDays: 30 })
    expect([await numbers(), await numbers(short), await numbers(long)]).toEqual([[1], [], [1]])
    await age(db, days(20))
    await retain({ buildDays: 30 })
    expect([await numbers(), await numbers(long)]).toEqual([[], []])
  })

  test('are deleted together with records that only they used', async () => {
    const { build: old } = await finished()
    const { build: other } = await finished()
    const text = (name: string) => ({ source: name, sha: 'a', text: name, merge_mode: null })
    const request = (of: Build) => ({ id: of.request_id, repository_id: repository.id })
    await storeRawConfigs(db, request(old), [text('shared'), text('own')])
    await storeRawConfigs(db, request(other), [text('shared')])
    await age(db, days(31))
    await db.updateTable('builds').set({ state: 'started' }).where('id', '=', other.id).execute()
    await db.updateTable('builds').set({ finished_at: null }).where('id', '=', other.id).execute()
    await retain({ buildDays: 30 })
    expect(await numbers()).toEqual([2])
    expect(await db.selectFrom('raw_configs').select('text').execute()).toEqual([
      { text: 'shared' },
    ])
    expect(await db.selectFrom('commits').select('id').execute()).toEqual([{ id: other.commit_id }])
  })

  test('take a constant amount of space over the years', async () => {
    const sizes: unknown[] = []
    for (let month = 0; month < 12; month += 1) {
      for (let count = 0; count < 6; count += 1) {
        await finished()
        await make.request({ repository, result: 'rejected', finished_at: new Date() })
      }
      await age(db, days(30))
      await retain({ buildDays: 75 })
      const { rows } = await sql<{ sizes: unknown }>`
        select json_build_object(
          'builds', (select count(*) from builds), 'requests', (select count(*) from requests),
          'jobs', (select count(*) from jobs), 'parts', (select count(*) from log_parts),
          'commits', (select count(*) from commits)) as sizes`.execute(db)
      sizes.push(rows[0]?.sizes)
    }
    const most = { builds: 12, requests: 24, jobs: 12, parts: 24, commits: 12 }
    expect(sizes.slice(2)).toEqual(Array.from({ length: 10 }, () => most))
  })
})

test('requests without a build are deleted, except the newest push to each branch', async () => {
  const ref = 'refs/heads/dev'
  await branch('dev')
  const given = { repository, result: 'rejected' as const, finished_at: new Date() }
  await make.request({ ...given, ref })
  const newest = await make.request({ ...given, ref })
  await make.request({ ...given, ref: 'refs/heads/gone' })
  const open = await make.request({ ...given, state: 'created', result: null, finished_at: null })
  await age(db, days(31))
  await retain({ buildDays: 30 })
  const left = await db.selectFrom('requests').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual([newest.id, open.id])
})

describe('logs', () => {
  const v3 = { 'service-api-version': '3' }

  test('are replaced by a sentence after LOG_DAYS, in all attempts', async () => {
    const { job } = await finished()
    await db
      .insertInto('job_versions')
      .values({ job_id: job.id, number: 1, state: 'errored', created_at: new Date() })
      .execute()
    await db.updateTable('jobs').set({ attempt: 2 }).where('id', '=', job.id).execute()
    const { job: running } = await finished()
    await age(db, days(31))
    const { job: young } = await finished()
    await db
      .updateTable('jobs')
      .set({ state: 'started', finished_at: null })
      .where('id', '=', running.id)
      .execute()
    await retain({ logDays: 30 })
    await retain({ logDays: 30 })

    const call = caller(await createServer(ctx))
    const sentence = 'Log deleted by retention on 2026-01-02: logs are kept for 30 days.'
    const text = async ({ id }: Job) => (await call(`GET /jobs/${id}/log.txt`)).body
    expect([await text(job), await text(running), await text(young)]).toEqual([
      sentence,
      'hello\n',
      'hello\n',
    ])
    expect((await call(`GET /job/${job.id}/log`, v3)).json()).toMatchObject({
      content: sentence,
      log_parts: [{ number: 0, content: sentence, final: true }],
    })
    expect(await numbers()).toEqual([1, 2, 3])
  })
})

describe('a build that was deleted', () => {
  const v3 = { 'service-api-version': '3' }

  test('is counted no longer', async () => {
    const user = await make.user()
    await make.permission(user, repository, 'pull')
    const each = ['push', 'pull_request'] as const
    for (const event_type of each) await finished({ event_type })
    await age(db, days(31))
    await retain({ buildDays: 30 })
    for (const event_type of each) await finished({ event_type })
    const call = caller(await createServer(ctx))
    const asUser = { ...v3, authorization: `token ${user.token}` }
    const path = `/repo/${repository.id}`
    const list = (await call(`GET ${path}/builds?limit=2`, asUser)).json<object>()
    expect(list).toMatchObject({
      '@pagination': { count: 2, is_last: true, next: null, last: { offset: 0 } },
      builds: [{ number: '4' }, { number: '3' }],
    })
    const found = await call(`GET ${path}?include=repository.build_count`, asUser)
    expect(found.json()).toMatchObject({ build_count: 1 })
  })

  const page = { accept: 'text/html' }
  const note = 'build 1 of octavia/hello was deleted by retention on'

  test('is reported as deleted to users who could see it, at all addresses', async () => {
    const { build, job } = await finished()
    await age(db, days(31))
    await retain({ buildDays: 30 })
    const call = caller(await createServer(ctx))
    for (const [path, headers] of [
      [`/builds/${build.id}`, {}],
      [`/repos/octavia/hello/builds/${build.id}`, {}],
      [`/build/${build.id}`, v3],
      [`/build/${build.id}/jobs`, v3],
      [`/job/${job.id}`, v3],
      [`/job/${job.id}/log`, v3],
      [`/octavia/hello/builds/${build.id}`, page],
      [`/octavia/hello/jobs/${job.id}`, page],
    ] as const) {
      const { statusCode, body } = await call(`GET ${path}`, headers)
      expect({ path, statusCode, isNamed: body.toLowerCase().includes(note) }).toEqual({
        path,
        statusCode: 404,
        isNamed: true,
      })
    }
    expect((await call(`GET /build/${build.id}`, v3)).json()).toEqual({
      '@type': 'error',
      error_type: 'not_found',
      error_message: expect.stringContaining(`build not found: ${note} 20`),
      resource_type: 'build',
    })
  })

  test('looks to other users as if it had never existed', async () => {
    const hidden = await make.repository({ owner_name: 'octavia', name: 'secret', private: true })
    const { build, job } = await finished({ repository: hidden })
    await age(db, days(31))
    await retain({ buildDays: 30 })
    const call = caller(await createServer(ctx))
    for (const [path, never, headers] of [
      [`/builds/${build.id}`, '/builds/999', {}],
      [`/build/${build.id}`, '/build/999', v3],
      [`/job/${job.id}`, '/job/999', v3],
      [`/octavia/secret/builds/${build.id}`, '/octavia/secret/builds/999', page],
    ] as const) {
      const { statusCode, body } = await call(`GET ${path}`, headers)
      const unknown = await call(`GET ${never}`, headers)
      expect(statusCode).toBe(404)
      expect(body).toBe(unknown.body.replaceAll('999', /\d+$/.exec(path)?.[0] ?? ''))
    }
  })
})
