import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { roles, type Role } from '../v2/roles.ts'
import {
  build,
  type BuildScene,
  buildWrites,
  denied,
  makeBuilds,
  missing,
  noWrites,
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

interface Shown {
  [name: string]: unknown
}

async function shown(asked: string, who: Role = 'no one'): Promise<Shown> {
  const { status, body } = await call(asked, who)
  expect(status).toBe(200)
  return body as Shown
}

describe('GET /build/{build.id}', () => {
  test('shows a build with what belongs to it', async () => {
    expect(await call('GET /build/1')).toEqual({ status: 200, body: build })
  })

  test.each<[Role, object]>([
    ['admin', buildWrites],
    ['pusher', buildWrites],
    ['reader', noWrites],
    ['other', noWrites],
    ['no one', noWrites],
  ])('tells what %s can do with it', async (who, permissions) => {
    expect((await shown('GET /build/1', who))['@permissions']).toEqual(permissions)
  })

  test('hides a private one from those without a role, as if it were missing', async () => {
    const answers = Object.fromEntries(
      await Promise.all(
        roles.map(async (who) => [who, (await call('GET /build/2', who)).status] as const),
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
    expect(await call('GET /build/2')).toEqual(missing('build'))
    expect(await call('GET /build/2', 'wrong')).toEqual(denied)
    expect(await call('GET /build/9')).toEqual(missing('build'))
  })

  test.each(['0', '9223372036854775808', '99999999999999999999'])(
    'finds nothing by the id %s',
    async (id) => {
      expect(await call(`GET /build/${id}`)).toEqual(missing('build'))
    },
  )

  test.each(['x', '1x', '-1', '%00', '1%2F2'])('is no path with the id %s', async (id) => {
    expect(await call(`GET /build/${id}`)).toMatchObject({
      status: 404,
      body: { error_type: 'not_found', resource_type: null },
    })
  })

  test('shows the pull request and the tag that it was made for', async () => {
    const [repository] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
    if (!repository) throw new Error('there is no repository')
    const pull = await make.pullRequest(repository, { number: 12, title: 'Greet louder' })
    const { id: tag_id } = await db
      .insertInto('tags')
      .values({ repository_id: 1, name: 'v1', last_build_id: 2 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const of = { repository, state: 'failed', pull_request_id: pull.id, tag_id } as const
    const { id } = await make.build({ ...of, event_type: 'pull_request' })
    expect(await shown(`GET /build/${id}`)).toMatchObject({
      event_type: 'pull_request',
      pull_request_title: 'Greet louder',
      pull_request_number: 12,
      branch: null,
      created_by: null,
      jobs: [],
      stages: [],
      // Build 2 is of another repository, and hidden.
      tag: {
        '@type': 'tag',
        '@representation': 'minimal',
        '@permissions': { read: true, write: false },
        repository_id: 1,
        name: 'v1',
        last_build_id: null,
      },
    })
  })

  test('includes what it shows in short, and more', async () => {
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

  test('shows the picture of the user whose address a commit has', async () => {
    await make.user('octavia')
    const avatar_url = 'https://a.example/octavia'
    await db.updateTable('users').set({ avatar_url }).where('login', '=', 'octavia').execute()
    expect(await shown('GET /build/1?include=build.commit')).toMatchObject({
      commit: { author: { name: 'Octavia', avatar_url } },
    })
  })

  test('refuses what it does not have, and ignores the representation', async () => {
    expect(await call('GET /build/1?include=build.colour')).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
    expect(await call('GET /build/1?representation=list')).toEqual({ status: 200, body: build })
  })

  test('its logs are complete once the last part of each is there', async () => {
    const made = await make.build({ state: 'failed' })
    const complete = async () =>
      (await shown(`GET /build/${made.id}?include=build.log_complete`)).log_complete
    expect(await complete()).toBe(true)
    await make.job({ build: made, state: 'canceled' })
    expect(await complete()).toBe(true)
    const late = await make.job({ build: made, state: 'failed' })
    const part = { log_id: late.id, attempt: 0, number: 1, content: 'hello', final: false }
    await db.insertInto('log_parts').values(part).execute()
    expect(await complete()).toBe(false)
    await db.updateTable('log_parts').set({ final: true }).execute()
    expect(await complete()).toBe(true)
    await make.job({ build: made, state: 'started' })
    expect(await complete()).toBe(false)
  })
})

describe('the stages of a build', () => {
  test('are shown in their order', async () => {
    expect(await call('GET /build/1/stages')).toEqual({
      status: 200,
      body: {
        '@type': 'stages',
        '@href': '/build/1/stages',
        '@representation': 'standard',
        stages: build.stages.map((stage, index) => ({
          ...stage,
          '@representation': 'standard',
          jobs: [build.jobs[index]],
        })),
      },
    })
  })

  test('are hidden with the build', async () => {
    expect(await call('GET /build/2/stages')).toEqual(missing('build'))
    expect(await call('GET /build/9/stages')).toEqual(missing('build'))
    expect(await call('GET /build/2/stages', 'reader')).toMatchObject({ status: 200 })
  })

  test('have no pages', async () => {
    const body = await shown('GET /build/1/stages?limit=1')
    expect(body).toMatchObject({ '@warnings': [{ parameter: 'limit' }], stages: [{}, {}] })
    expect(body).not.toHaveProperty('@pagination')
  })

  test('include their jobs', async () => {
    expect(await shown('GET /build/1/stages?include=stage.jobs')).toMatchObject({
      stages: [{ jobs: [{ '@representation': 'standard', number: '1.1' }] }, { jobs: [{ id: 2 }] }],
    })
  })
})
