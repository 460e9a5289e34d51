import { beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../../src/domain/request/check.ts'
import { scheduleJobs } from '../../../src/flow/jobs/schedule-jobs.ts'
import { createServer } from '../../../src/http/server.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { json } from '../../../src/store/tables.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { type BuildScene, job, jobOf, makeBuilds, stageOf } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

async function shown(asked: string): Promise<Record<string, unknown>> {
  const { status, body } = await call(asked)
  expect(status).toBe(200)
  return body as Record<string, unknown>
}

describe('GET /job/{job.id}', () => {
  test('shows a job with its related records', async () => {
    expect(await call('GET /job/1')).toEqual({ status: 200, body: job })
  })

  test('includes its short records in full, and its configuration without secrets', async () => {
    const config = {
      language: 'ruby',
      env: [{ A: 'b', T: { secure: 'c2VhbGVk' } }],
      addons: { apt: ['x'], sauce_connect: true },
      deploy: { provider: 'script' },
      source_key: 'key',
      password: { secure: 'c2VhbGVk' },
    }
    await db
      .updateTable('jobs')
      .set({ config: json(config) })
      .where('id', '=', 1)
      .execute()
    const include = ['job.config', 'job.commit', 'job.owner', 'job.stage', 'job.log_complete']
    const body = await shown(`GET /job/1?include=${include.join(',')}`)
    expect(body).toMatchObject({
      commit: { '@representation': 'standard' },
      owner: { '@representation': 'standard', login: 'acme' },
      stage: { '@representation': 'standard', jobs: [{ '@href': '/job/1' }] },
      log_complete: true,
    })
    expect(body.config).toEqual({
      language: 'ruby',
      env: 'A=b T=[secure]',
      addons: { apt: ['x'] },
      password: '[secure]',
    })
    expect(JSON.stringify(body)).not.toContain('c2VhbGVk')
  })

  test('shows when it was queued, received, canceled and restarted, and who did so', async () => {
    const [reader] = await db
      .selectFrom('users')
      .selectAll()
      .where('login', '=', 'reader')
      .execute()
    const of = { build: scene.build, stage_id: 2, queue: 'builds.gpu', allow_failure: true }
    const { id } = await make.job({
      ...{ ...of, number: '1.3', state: 'canceled', started_at: noon },
      queued_at: noon,
      received_at: noon,
      canceled_at: noon,
      canceled_by_id: reader?.id ?? null,
      cancel_reason: 'canceled by reader',
      restarted_at: noon,
      restarted_by_id: reader?.id ?? null,
      updated_at: new Date('2026-01-02T12:00:00.250Z'),
    })
    const at = '2026-01-02T12:00:00Z'
    const readerShown = {
      ...job.owner,
      '@href': `/user/${reader?.id}`,
      id: reader?.id,
      login: 'reader',
      name: 'Name of reader',
    }
    expect(await call(`GET /job/${id}`)).toEqual({
      status: 200,
      body: {
        ...{ ...job, ...jobOf(id), '@representation': 'standard' },
        allow_failure: true,
        number: '1.3',
        state: 'canceled',
        queue: 'builds.gpu',
        stage: stageOf(2),
        queued_at: at,
        received_at: at,
        canceled_at: at,
        canceled_by: readerShown,
        cancel_reason: 'canceled by reader',
        restarted_at: at,
        restarted_by: readerShown,
      },
    })
  })

  test('shows null for everything that has not happened yet', async () => {
    const updated_at = new Date('2026-01-02T12:00:00.250Z')
    const { id } = await make.job({ build: scene.build, number: '1.4', updated_at })
    expect(await call(`GET /job/${id}`)).toEqual({
      status: 200,
      body: {
        ...{ ...job, ...jobOf(id), '@representation': 'standard' },
        number: '1.4',
        state: 'created',
        started_at: null,
        finished_at: null,
        stage: null,
        waiting_reasons: ['It has just been created and will be scheduled next.'],
      },
    })
  })
})

describe('a waiting job', () => {
  test('shows its place in the queue for a runner, counting the jobs of all repositories', async () => {
    const repository = await make.repository({ codehost_id: 900 })
    const build = await make.build({ repository, state: 'started' })
    const queued = { state: 'queued', build } as const
    const { id } = await make.job({ ...queued, queued_at: new Date('2026-01-02T11:59:00Z') })
    await make.job({ ...queued, queued_at: new Date('2026-01-02T11:58:00Z') })
    expect(await shown(`GET /job/${id}`)).toMatchObject({
      waiting_reasons: ['It waits for a free runner, as number 2 in the queue.'],
      queue_position: 2,
    })
    const { jobs } = (await shown(`GET /build/${build.id}/jobs`)) as unknown as {
      jobs: { queue_position: number }[]
    }
    expect(jobs.map(({ queue_position }) => queue_position)).toEqual([2, 1])
    // What also waits for the code host is in no one's way.
    const { id: stopped } = await make.job({
      ...queued,
      queued_at: new Date('2026-01-02T11:57:00Z'),
      checks: json([check('codehost', false)]),
    })
    expect(await shown(`GET /job/${stopped}`)).toMatchObject({ queue_position: null })
    expect(await shown(`GET /job/${id}`)).toMatchObject({ queue_position: 2 })
  })

  test('shows that it waits for the limit of its repository', async () => {
    const repository = await make.repository({ name: 'limited' })
    const build = await make.build({ repository, state: 'started' })
    await changeSettings(db, repository.id, { maximum_number_of_builds: 1 })
    const { owner_id, owner_type } = await make.job({ build, state: 'started' })
    const { id } = await make.job({ build })
    expect(await shown(`GET /job/${id}`)).toMatchObject({
      waiting_reasons: ['It has just been created and will be scheduled next.'],
      queue_position: null,
    })
    await scheduleJobs(testContext(db), { owner_id, owner_type })
    expect(await shown(`GET /job/${id}`)).toMatchObject({
      waiting_reasons: [
        'It waits for a job of this repository to end, as number 1 in the queue: ' +
          '1 of 1 allowed are queued or running (setting maximum_number_of_builds).',
      ],
      queue_position: 1,
    })
  })

  const positionOf = async ({ id }: { id: number }) =>
    (await shown(`GET /job/${id}`)).queue_position
  const atLimitOf = (what: 'repository' | 'owner') => json([check(`${what}_limit`, false)])

  test('counts only jobs of the same repository before it when it waits for that repository’s limit', async () => {
    const builds = await Promise.all(
      ['left', 'right'].map(async (name, index) =>
        make.build({ repository: await make.repository({ name, codehost_id: 910 + index }) }),
      ),
    )
    const checks = atLimitOf('repository')
    const waiting = []
    for (const _time of [1, 2]) {
      for (const build of builds) waiting.push(await make.job({ build, checks }))
    }
    expect(await Promise.all(waiting.map(positionOf))).toEqual([1, 1, 2, 2])
  })

  test('counts only jobs of the same owner before it when it waits for that owner’s limit', async () => {
    const user = await make.owner('octavia')
    const organization = await db
      .insertInto('organizations')
      .values({ id: user.id, codehost_id: 920, login: 'same-id' })
      .returningAll()
      .executeTakeFirstOrThrow()
    const repositories = [
      await make.repository({ name: 'of-user', codehost_id: 921 }),
      await make.repository({
        owner_id: organization.id,
        owner_type: 'Organization',
        owner_name: 'same-id',
        codehost_id: 922,
      }),
    ]
    expect(repositories.map(({ owner_id }) => owner_id)).toEqual([user.id, user.id])
    const checks = atLimitOf('owner')
    const waiting = []
    for (const _time of [1, 2]) {
      for (const repository of repositories) {
        waiting.push(await make.job({ build: await make.build({ repository }), checks }))
      }
    }
    expect(await Promise.all(waiting.map(positionOf))).toEqual([1, 1, 2, 2])
  })

  test('has no place and takes none when it waits for a limit and for its stage', async () => {
    const repository = await make.repository({ name: 'staged', codehost_id: 930 })
    const build = await make.build({ repository })
    const limit = check('repository_limit', false)
    const staged = await make.job({ build, checks: json([check('stage', false), limit]) })
    const next = await make.job({ build, checks: json([check('stage', true), limit]) })
    expect(await Promise.all([staged, next].map(positionOf))).toEqual([null, 1])
  })
})
