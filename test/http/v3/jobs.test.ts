import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import type { Role } from '../v2/roles.ts'
import {
  type BuildScene,
  denied,
  job,
  jobOf,
  makeBuilds,
  missing,
  noLogin,
  stageOf,
} from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
  // Of a repository on which no one has a role.
  await make.job({ build: await make.build() })
  await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', 2).execute()
  await db.updateTable('jobs').set({ state: 'failed' }).where('id', '=', 3).execute()
  await db.updateTable('builds').set({ sender_id: null }).where('id', '=', 2).execute()
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

async function ids(asked: string, who: Role = 'reader') {
  const { status, body } = await call(asked, who)
  expect(status).toBe(200)
  return (body as { jobs: { id: number }[] }).jobs.map(({ id }) => id)
}

describe('GET /build/{build.id}/jobs', () => {
  test('shows the jobs of a build, sorted by id', async () => {
    expect(await call('GET /build/1/jobs')).toEqual({
      status: 200,
      body: {
        '@type': 'jobs',
        '@href': '/build/1/jobs',
        '@representation': 'standard',
        jobs: [
          job,
          {
            ...job,
            ...jobOf(2),
            '@representation': 'standard',
            number: '1.2',
            state: 'queued',
            stage: stageOf(2),
            waiting_reasons: ['It waits for a free runner, as number 1 in the queue.'],
            queue_position: 1,
          },
        ],
      },
    })
  })

  test('has no pages', async () => {
    expect((await call('GET /build/1/jobs?limit=1')).body).toMatchObject({
      '@warnings': [{ parameter: 'limit' }],
      jobs: [{ id: 1 }, { id: 2 }],
    })
  })

  test('can be minimal', async () => {
    expect((await call('GET /build/1/jobs?representation=minimal')).body).toMatchObject({
      '@representation': 'minimal',
      jobs: [jobOf(1), jobOf(2)],
    })
  })

  test('is hidden with the build', async () => {
    expect(await call('GET /build/2/jobs')).toEqual(missing('build'))
    expect(await call('GET /build/9/jobs')).toEqual(missing('build'))
    expect(await call('GET /build/1/jobs', 'wrong')).toEqual(denied)
    expect(await ids('GET /build/2/jobs')).toEqual([3, 4])
  })
})

describe('GET /jobs', () => {
  test('needs a login', async () => {
    expect(await call('GET /jobs')).toEqual(noLogin)
    expect(await call('GET /jobs', 'wrong')).toEqual(denied)
  })

  test('shows the jobs of the repositories on which the caller has a role', async () => {
    expect(await ids('GET /jobs')).toEqual([4, 3, 2, 1])
    expect(await ids('GET /jobs', 'other')).toEqual([])
  })

  test('shows no jobs to a token that cannot see private repositories', async () => {
    const reader = await db
      .selectFrom('users')
      .selectAll()
      .where('login', '=', 'reader')
      .executeTakeFirstOrThrow()
    const token = await make.token(reader, ['public'])
    expect((await client('GET /jobs', { token })).body).toMatchObject({
      '@pagination': { count: 0 },
      jobs: [],
    })
  })

  test.each<[string, number[]]>([
    ['sort_by=id', [1, 2, 3, 4]],
    ['sort_by=state,id', [3, 1, 4, 2]],
    ['state=failed', [3]],
    ['job.state=failed,queued', [3, 2]],
    ['state=x', []],
    ['active=true', [2]],
    ['active=false', [4, 3, 2, 1]],
    ['active=true&state=failed', [3, 2]],
    ['created_by=pusher', [2, 1]],
    ['created_by=PUSHER,x', [2, 1]],
    ['created_by=%00', []],
    ['limit=2&offset=1', [3, 2]],
  ])('?%s', async (query, expected) => {
    expect(await ids(`GET /jobs?${query}`)).toEqual(expected)
  })

  test('has pages of 100', async () => {
    expect((await call('GET /jobs', 'reader')).body).toMatchObject({
      '@type': 'jobs',
      '@pagination': { limit: 100, count: 4, is_last: true },
      jobs: [{ repository: { slug: 'acme/safe' } }, {}, {}, {}],
    })
  })

  test('shows the newest hundred jobs of each repository and of each requested state', async () => {
    const [web] = await db.selectFrom('builds').selectAll().orderBy('id').execute()
    if (!web) throw new Error('there is no build')
    for (let count = 0; count < 101; count += 1) {
      await make.job({ build: web, state: 'canceled', number: `9.${count}` })
    }
    const countOf = async (query: string) => {
      const { body } = await call(`GET /jobs?${query}`, 'reader')
      return (body as { '@pagination': { count: number } })['@pagination'].count
    }
    expect(await countOf('')).toBe(102)
    expect(await countOf('state=canceled')).toBe(100)
    expect(await countOf('state=canceled,passed')).toBe(102)
  })
})
