import { beforeAll, describe, expect, test } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import { scheduleJobs } from '../../../src/flow/schedule-jobs.ts'
import { createServer } from '../../../src/http/server.ts'
import { changeSettings } from '../../../src/store/settings.ts'
import { json } from '../../../src/store/tables.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { roles, type Role } from '../v2/roles.ts'
import {
  type BuildScene,
  denied,
  job,
  jobOf,
  jobWrites,
  makeBuilds,
  missing,
  noJobWrites,
  stageOf,
} from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

function call(asked: string, who: Role = 'no one') {
  const token = scene.tokens[who]
  return client(asked, token === undefined ? {} : { token })
}

function theBuild(): Build {
  const [first] = scene.builds
  if (!first) throw new Error('there is no build')
  return first
}

async function shown(asked: string, who: Role = 'no one'): Promise<Record<string, unknown>> {
  const { status, body } = await call(asked, who)
  expect(status).toBe(200)
  return body as Record<string, unknown>
}

describe('GET /job/{job.id}', () => {
  test('shows a job with what it belongs to', async () => {
    expect(await call('GET /job/1')).toEqual({ status: 200, body: job })
  })

  test.each<[Role, object]>([
    ['admin', jobWrites],
    ['pusher', jobWrites],
    ['reader', noJobWrites],
    ['other', noJobWrites],
    ['no one', noJobWrites],
  ])('tells what %s can do with it', async (who, permissions) => {
    expect((await shown('GET /job/1', who))['@permissions']).toEqual(permissions)
  })

  test('hides a private one from those without a role, as if it were missing', async () => {
    const answers = Object.fromEntries(
      await Promise.all(
        roles.map(async (who) => [who, (await call('GET /job/3', who)).status] as const),
      ),
    )
    expect(answers).toEqual({
      admin: 200,
      pusher: 200,
      reader: 200,
      other: 404,
      'no one': 404,
      wrong: 403,
    })
    expect(await call('GET /job/3')).toEqual(missing('job'))
    expect(await call('GET /job/9')).toEqual(missing('job'))
    expect(await call('GET /job/3', 'wrong')).toEqual(denied)
  })

  test.each(['0', '9223372036854775808'])('finds nothing by the id %s', async (id) => {
    expect(await call(`GET /job/${id}`)).toEqual(missing('job'))
  })

  test.each(['x', '-1', '%00'])('is no path with the id %s', async (id) => {
    expect(await call(`GET /job/${id}`)).toMatchObject({
      status: 404,
      body: { resource_type: null },
    })
  })

  test('includes what it shows in short, and its configuration without secrets', async () => {
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

  test('shows when it was queued, received, canceled and restarted, and by whom', async () => {
    const [reader] = await db
      .selectFrom('users')
      .selectAll()
      .where('login', '=', 'reader')
      .execute()
    const of = { build: theBuild(), stage_id: 2, queue: 'builds.gpu', allow_failure: true }
    const { id } = await make.job({
      ...{ ...of, number: '1.3', state: 'canceled', started_at: noon },
      queued_at: noon,
      received_at: noon,
      canceled_at: noon,
      restarted_at: noon,
      restarted_by_id: reader?.id ?? null,
      updated_at: new Date('2026-01-02T12:00:00.250Z'),
    })
    const at = '2026-01-02T12:00:00Z'
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
        restarted_at: at,
        restarted_by: {
          ...job.owner,
          '@href': `/user/${reader?.id}`,
          id: reader?.id,
          login: 'reader',
          name: 'Name of reader',
        },
      },
    })
  })

  test('has nothing of what has not happened to it', async () => {
    const updated_at = new Date('2026-01-02T12:00:00.250Z')
    const { id } = await make.job({ build: theBuild(), number: '1.4', updated_at })
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

describe('a job that waits', () => {
  test('for a runner says its place in the queue, whosever jobs are before it', async () => {
    const repository = await make.repository({ codehost_id: 900 })
    const build = await make.build({ repository, state: 'started' })
    const queued = { state: 'queued', build } as const
    await make.job({ ...queued, queued_at: new Date('2026-01-02T11:58:00Z') })
    const { id } = await make.job({ ...queued, queued_at: new Date('2026-01-02T11:59:00Z') })
    expect(await shown(`GET /job/${id}`)).toMatchObject({
      waiting_reasons: ['It waits for a free runner, as number 2 in the queue.'],
      queue_position: 2,
    })
    const { jobs } = (await shown(`GET /build/${build.id}/jobs`)) as unknown as {
      jobs: { queue_position: number }[]
    }
    expect(jobs.map(({ queue_position }) => queue_position)).toEqual([1, 2])
  })

  test('for the limit of its repository says so', async () => {
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
})
