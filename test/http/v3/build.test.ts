import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { build, type BuildScene, makeBuilds } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

const firstRepository = () =>
  db.selectFrom('repositories').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()

interface Shown {
  [name: string]: unknown
}

async function shown(asked: string): Promise<Shown> {
  const { status, body } = await call(asked)
  expect(status).toBe(200)
  return body as Shown
}

describe('GET /build/{build.id}', () => {
  test('shows a build with its related records', async () => {
    expect(await call('GET /build/1')).toEqual({ status: 200, body: build })
  })

  test('shows the pull request and the tag of a build', async () => {
    const repository = await firstRepository()
    const { id: pull_request_id } = await make.pullRequest(repository, {
      number: 12,
      title: 'Greet louder',
    })
    const { id: tag_id } = await make.tag(repository, 'v1', 1)
    const { branch_id, sender_id, commit_id } = scene.build
    const { id } = await make.build({
      ...{ repository, pull_request_id, tag_id, branch_id, sender_id, commit_id },
      event_type: 'pull_request',
      state: 'failed',
      started_at: noon,
      duration: 7,
      previous_state: 'passed',
      updated_at: new Date('2026-01-02T12:00:00.500Z'),
    })
    expect(await call(`GET /build/${id}`)).toEqual({
      status: 200,
      body: {
        ...build,
        '@href': `/build/${id}`,
        id,
        number: '2',
        state: 'failed',
        duration: 7,
        event_type: 'pull_request',
        previous_state: 'passed',
        pull_request_title: 'Greet louder',
        pull_request_number: 12,
        tag: {
          '@type': 'tag',
          '@representation': 'minimal',
          '@permissions': { read: true, write: false },
          repository_id: 1,
          name: 'v1',
          last_build_id: 1,
        },
        jobs: [],
        stages: [],
        updated_at: '2026-01-02T12:00:00.500Z',
      },
    })
  })

  test('shows null and empty lists for a new build', async () => {
    const updated_at = new Date('2026-01-02T12:00:00.750Z')
    const { commit_id } = scene.build
    const { id } = await make.build({ repository: await firstRepository(), commit_id, updated_at })
    expect(await call(`GET /build/${id}`)).toEqual({
      status: 200,
      body: {
        ...build,
        '@href': `/build/${id}`,
        id,
        number: '3',
        state: 'created',
        duration: null,
        previous_state: null,
        started_at: null,
        finished_at: null,
        branch: null,
        jobs: [],
        stages: [],
        created_by: null,
        updated_at: '2026-01-02T12:00:00.750Z',
      },
    })
  })

  test('includes its short records in full, and further attributes', async () => {
    const include = [
      ...['build.commit', 'build.jobs', 'build.stages', 'build.created_by', 'build.branch'],
      ...['build.request', 'build.log_complete', 'stage.jobs', 'job.log_complete', 'job.config'],
    ]
    const body = await shown(`GET /build/1?include=${include.join(',')}`)
    expect(body).toMatchObject({
      commit: {
        '@representation': 'standard',
        committer: { name: 'Octavia', avatar_url: null },
        author: { name: 'Octavia', avatar_url: null },
      },
      jobs: [
        { '@representation': 'standard', log_complete: true, build: { '@href': '/build/1' } },
        {},
      ],
      stages: [{ '@representation': 'standard', jobs: [{ id: 1 }] }, { jobs: [{ id: 2 }] }],
      created_by: { '@representation': 'standard', login: 'pusher', email: null },
      branch: { '@representation': 'standard', default_branch: true },
      request: {
        '@type': 'request',
        '@href': '/repo/1/request/1',
        '@representation': 'standard',
        '@permissions': { read: true, write: false },
        id: 1,
        state: 'finished',
        result: 'approved',
        message: null,
        pull_request_mergeable: null,
      },
      log_complete: true,
    })
    expect(JSON.stringify(body)).not.toContain('octavia@example.org')
  })

  test('refuses an unknown include, and ignores the representation', async () => {
    expect(await call('GET /build/1?include=build.colour')).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
    expect(await call('GET /build/1?representation=list')).toEqual({ status: 200, body: build })
  })

  test('has complete logs once the last part of each log has arrived', async () => {
    const made = await make.build({ state: 'failed' })
    const complete = async () =>
      (await shown(`GET /build/${made.id}?include=build.log_complete`)).log_complete
    expect(await complete()).toBe(true)
    await make.job({ build: made, state: 'canceled' })
    expect(await complete()).toBe(true)
    const late = await make.job({ build: made, state: 'failed' })
    const part = { log_id: late.id, attempt: 1, number: 1, content: 'hello', final: false }
    await db.insertInto('log_parts').values(part).execute()
    expect(await complete()).toBe(false)
    await db.updateTable('log_parts').set({ final: true }).execute()
    expect(await complete()).toBe(true)
    await make.job({ build: made, state: 'started' })
    expect(await complete()).toBe(false)
  })
})
