import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import type { Role } from '../v2/roles.ts'
import { build, type BuildScene, denied, makeBuilds, missing, noLogin } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene

// Besides build 1 of the public repository: 3 of a pull request, 4 in private, 5 of branch next.
beforeAll(async () => {
  scene = await makeBuilds(db)
  const [web] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  if (!web) throw new Error('there is no repository')
  const pull = await make.pullRequest(web, { number: 12, title: 'Greet louder' })
  const base = await db.selectFrom('branches').select('id').executeTakeFirstOrThrow()
  await make.build({
    repository: web,
    event_type: 'pull_request',
    pull_request_id: pull.id,
    branch_id: base.id,
    state: 'failed',
    started_at: new Date('2026-01-01T12:00:00Z'),
    previous_state: 'passed',
  })
  await make.build({ repository: web, state: 'passed', private: true })
  const { id } = await db
    .insertInto('branches')
    .values({ repository_id: web.id, name: 'next' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const reader = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'reader')
    .executeTakeFirstOrThrow()
  await make.build({ repository: web, branch_id: id, event_type: 'api', sender_id: reader.id })
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

interface Page {
  builds: Record<string, unknown>[]
  '@pagination': Record<string, unknown>
  '@representation': string
}

async function page(asked: string, who: Role = 'no one'): Promise<Page> {
  const { status, body } = await call(asked, who)
  expect(status).toBe(200)
  return body as Page
}

const ids = ({ builds }: Page) => builds.map(({ id }) => id)

describe('GET /repo/{repository}/builds', () => {
  test.each([
    '/repo/1/builds',
    '/repo/acme%2Fweb/builds',
    '/repo/codehost/1/builds',
    '/repo/github/Acme%2fWEB/builds',
  ])('is found at %s', async (path) => {
    expect(await call(`GET ${path}?limit=1&offset=2`)).toEqual({
      status: 200,
      body: {
        '@type': 'builds',
        '@href': `${path}?limit=1&offset=2`,
        '@representation': 'standard',
        '@pagination': {
          limit: 1,
          offset: 2,
          count: 3,
          is_first: false,
          is_last: true,
          next: null,
          prev: { '@href': `${path}?limit=1&offset=1`, offset: 1, limit: 1 },
          first: { '@href': `${path}?limit=1&offset=0`, offset: 0, limit: 1 },
          last: { '@href': `${path}?limit=1&offset=2`, offset: 2, limit: 1 },
        },
        builds: [build],
      },
    })
  })

  test('shows builds made in private only to users with a role', async () => {
    expect(ids(await page('GET /repo/1/builds'))).toEqual([5, 3, 1])
    expect(ids(await page('GET /repo/1/builds', 'other'))).toEqual([5, 3, 1])
    expect(ids(await page('GET /repo/1/builds', 'reader'))).toEqual([5, 4, 3, 1])
    expect(ids(await page('GET /repo/2/builds', 'reader'))).toEqual([2])
    const countFor = async (who: Role) =>
      (await page('GET /repo/1/builds', who))['@pagination'].count
    expect([await countFor('other'), await countFor('reader')]).toEqual([3, 4])
  })

  test('includes the memberships of the caller only', async () => {
    const acme = await make.organization('acme')
    const users = await db
      .selectFrom('users')
      .selectAll()
      .where('login', 'in', ['pusher', 'reader'])
      .execute()
    for (const user of users) await make.membership(user, acme)
    const { builds } = await page(
      'GET /repo/1/builds?created_by=reader,pusher&include=build.created_by',
      'reader',
    )
    expect(builds).toMatchObject([
      { id: 5, created_by: { login: 'reader', memberships: [{ organization_id: acme.id }] } },
      { id: 1, created_by: { login: 'pusher', memberships: [] } },
    ])
  })

  test('is hidden with its repository', async () => {
    expect(await call('GET /repo/2/builds')).toEqual(missing('repository'))
    expect(await call('GET /repo/2/builds', 'other')).toEqual(missing('repository'))
    expect(await call('GET /repo/9/builds')).toEqual(missing('repository'))
    expect(await call('GET /repo/1/builds', 'wrong')).toEqual(denied)
  })

  test.each<[string, number[]]>([
    ['state=passed', [1]],
    ['build.state=passed,failed', [3, 1]],
    ['state[]=passed&state[]=created', [5, 1]],
    ['state=running', []],
    ['state=', [5, 3, 1]],
    ['state=%00', []],
    ['previous_state=passed', [3]],
    ['event_type=pull_request,api', [5, 3]],
    ['build.event_type=push', [1]],
    ['created_by=READER', [5]],
    ['created_by=reader,pusher', [5, 1]],
    ['created_by=nobody', []],
    ['branch.name=main', [3, 1]],
    ['branch.name=main&event_type=push', [1]],
    ['branch.name=next,main', [5, 3, 1]],
    ['branch.name=missing', []],
    ['branch.name=%00', []],
    ['state=passed&branch.name=next', []],
    ['sort_by=id', [1, 3, 5]],
    ['sort_by=', [1, 3, 5]],
    ['sort_by=number:desc', [5, 3, 1]],
    ['sort_by=number', [1, 3, 5]],
    ['sort_by=event_type,id:desc', [5, 3, 1]],
    ['sort_by=started_at', [3, 1, 5]],
    ['sort_by=finished_at,id:desc', [3, 1, 5]],
    ['sort_by=created_at,id', [1, 3, 5]],
  ])('?%s', async (query, expected) => {
    expect(ids(await page(`GET /repo/1/builds?${query}`))).toEqual(expected)
  })

  test('ignores the parameter `name`, which needs its full name `branch.name`', async () => {
    const body = await page('GET /repo/1/builds?name=main')
    expect(ids(body)).toEqual([5, 3, 1])
    expect(body).toMatchObject({ '@warnings': [{ parameter: 'name' }] })
  })

  test.each([
    ['', 25],
    ['?limit=200', 100],
    ['?limit=0', 100],
    ['?limit=-1', 25],
  ])('%j has pages of %i', async (query, limit) => {
    expect((await page(`GET /repo/1/builds${query}`))['@pagination']).toMatchObject({ limit })
  })

  test.each([
    'limit=x',
    'offset=',
    'include=build',
    'include=build.colour',
    'representation=x',
    'representation=active',
  ])('refuses %s', async (query) => {
    expect(await call(`GET /repo/1/builds?${query}`)).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })

  test('warns of an unknown order', async () => {
    expect(await page('GET /repo/1/builds?sort_by=state,id')).toMatchObject({
      '@warnings': [{ warning_type: 'ignored_value', parameter: 'sort_by', value: 'state' }],
      builds: [{ id: 1 }, { id: 3 }, { id: 5 }],
    })
    const value = 'number:desc:x'
    expect(await page(`GET /repo/1/builds?sort_by=${value}`)).toMatchObject({
      '@warnings': [{ warning_type: 'ignored_value', parameter: 'sort_by', value }],
      builds: [{ id: 1 }, { id: 3 }, { id: 5 }],
    })
    expect(await page('GET /repo/1/builds?sort_by=')).not.toHaveProperty('@warnings')
  })

  test('returns the representation for lists, with short requests and without branches', async () => {
    const body = await page(
      'GET /repo/1/builds?representation=list&include=build.branch,build.request,build.commit',
    )
    expect(body['@representation']).toBe('list')
    const [, , last] = body.builds
    const { repository: _r, jobs: _j, stages: _s, updated_at: _u, ...listed } = build
    expect(last).toEqual({
      ...listed,
      '@representation': 'list',
      commit: {
        ...build.commit,
        '@representation': 'standard',
        committer: { name: 'Octavia', avatar_url: null },
        author: { name: 'Octavia', avatar_url: null },
      },
      request: {
        '@type': 'request',
        '@href': '/repo/1/request/1',
        '@representation': 'minimal',
        '@permissions': { read: true, write: false },
        id: 1,
        state: 'finished',
        result: 'approved',
        message: null,
        pull_request_mergeable: null,
      },
    })
  })

  test('can be minimal, and can skip the count', async () => {
    const body = await page('GET /repo/1/builds?representation=minimal&skip_count=true&limit=2')
    expect(body['@pagination']).toMatchObject({ count: 4, is_last: false })
    expect(Object.keys(body.builds[0] ?? {})).toHaveLength(16)
  })
})

test('a build of a pull request has its base branch', async () => {
  expect(await call('GET /build/3')).toMatchObject({ body: { branch: { name: 'main' } } })
})

describe('GET /builds', () => {
  test('shows the builds that the caller triggered', async () => {
    expect(ids(await page('GET /builds', 'pusher'))).toEqual([2, 1])
    expect(ids(await page('GET /builds?sort_by=id', 'pusher'))).toEqual([1, 2])
    expect(ids(await page('GET /builds', 'reader'))).toEqual([5])
    expect(ids(await page('GET /builds', 'other'))).toEqual([])
  })

  test('needs a login', async () => {
    expect(await call('GET /builds')).toEqual(noLogin)
    expect(await call('GET /builds', 'wrong')).toEqual(denied)
  })

  test('hides builds that the caller can no longer see', async () => {
    const token = await make.token(
      await db
        .selectFrom('users')
        .selectAll()
        .where('login', '=', 'pusher')
        .executeTakeFirstOrThrow(),
      ['public'],
    )
    expect((await client('GET /builds', { token })).body).toMatchObject({
      '@pagination': { count: 1, limit: 100 },
      builds: [{ id: 1, '@permissions': { read: true, write: false } }],
    })
  })

  test('has no filters', async () => {
    expect(await page('GET /builds?state=failed', 'pusher')).toMatchObject({
      '@warnings': [{ parameter: 'state' }],
      builds: [{ id: 2 }, { id: 1 }],
    })
  })

  test('has pages', async () => {
    expect(await page('GET /builds?limit=1', 'pusher')).toMatchObject({
      '@href': '/builds?limit=1',
      '@pagination': { count: 2, next: { '@href': '/builds?limit=1&offset=1' } },
      builds: [{ id: 2, repository: { slug: 'acme/safe' } }],
    })
  })
})

describe('a list of any length', () => {
  test.each([
    '/repo/1/builds?representation=standard',
    '/repo/1/builds?include=build.jobs,build.commit,build.created_by,build.log_complete',
    '/repo/1/builds?representation=list',
    '/builds?sort_by=id',
    '/jobs?include=job.config,job.log_complete',
  ])('%s takes the same number of statements', async (path) => {
    const sent = async (limit: number) => {
      const statements = watchStatements()
      expect((await call(`GET ${path}&limit=${limit}&sort_by=id`, 'pusher')).status).toBe(200)
      return statements.map(({ text }) => text)
    }
    // The use of the token is noted once.
    await sent(1)
    const short = await sent(1)
    const long = await sent(100)
    expect(long.length).toBe(short.length)
    expect(new Set(long)).toEqual(new Set(short))
  })
})
