import { describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { json } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { idsOf, shownBuild, shownCommit, shownJob } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v2Client(await createServer(ctx))
const closed = v2Client(await createServer({ ...ctx, site: { ...ctx.site, publicMode: false } }))
const v2 = { accept: 'application/vnd.service.2+json' }
const nothing = { status: 200, body: { builds: [], jobs: [], commits: [] } }

const listed = async (path: string, token?: string) =>
  idsOf((await call(`GET ${path}`, { token })).body, 'builds')

/** Builds of one repository with these members, numbered from 1. */
async function built(...each: Parameters<typeof make.build>[0][]): Promise<Repository> {
  const repository = await make.repository()
  const { id } = await make.commit(repository)
  for (const given of each) await make.build({ repository, commit_id: id, ...given })
  return repository
}

const everyPath = [
  '/builds?repository_id=1',
  '/builds/?repository_id=1',
  '/builds?slug=octavia/hello',
  '/builds?slug=Octavia%2FHELLO',
  '/repos/1/builds',
  '/repos/octavia/hello/builds',
  '/repos/octavia%2Fhello/builds',
  '/builds?ids=1,2',
  '/builds?ids[]=1&ids%5B%5D=2',
  '/builds?ids=1&ids=2',
]

describe('a list of builds', () => {
  test.each(everyPath)('includes the jobs and commits of the builds: %s', async (path) => {
    const repository = await make.repository()
    const commit = await make.commit(repository, { sha: shownCommit.sha })
    const config = json({ language: 'ruby', env: ['DB=pg', { A: { secure: 'c2VhbGVk' } }] })
    const first = await make.build({
      repository,
      commit_id: commit.id,
      state: 'failed',
      started_at: noon,
      duration: 95,
      config,
    })
    await make.job({ build: first, number: '1.1', config })
    await make.job({ build: first, number: '1.2' })
    const pull = await make.pullRequest(repository, { number: 12, title: 'Greet louder' })
    const second = await make.build({
      repository,
      commit_id: commit.id,
      event_type: 'pull_request',
      pull_request_id: pull.id,
    })
    await make.job({ build: second, number: '2.1' })

    const older = {
      ...shownBuild,
      state: 'failed',
      started_at: '2026-01-02T12:00:00Z',
      finished_at: '2026-01-02T12:00:00Z',
      duration: 95,
      config: { language: 'ruby', env: ['DB=pg', 'A=[secure]'] },
      job_ids: [1, 2],
    }
    const newer = {
      ...shownBuild,
      id: 2,
      number: '2',
      event_type: 'pull_request',
      pull_request: true,
      pull_request_title: 'Greet louder',
      pull_request_number: '12',
      job_ids: [3],
    }
    const jobs = [
      { ...shownJob, config: { language: 'ruby', env: 'DB=pg A=[secure]' } },
      { ...shownJob, id: 2, log_id: 2, number: '1.2' },
    ]
    const last = { ...shownJob, id: 3, log_id: 3, build_id: 2, number: '2.1' }
    const byIds = path.includes('ids')
    expect(await call(`GET ${path}`)).toEqual({
      status: 200,
      body: {
        builds: byIds ? [older, newer] : [newer, older],
        jobs: byIds ? [...jobs, last] : [last, ...jobs],
        commits: [shownCommit, shownCommit],
      },
    })
  })

  test.each(['/repos/1/builds', '/repos/octavia/hello/builds'])(
    'of a repository can be limited to ids: %s',
    async (path) => {
      const repository = await make.repository()
      for (const _each of [1, 2, 3]) await make.build({ repository })
      await make.build({ repository: await make.repository({ name: 'other' }) })
      const { body } = await call(`GET ${path}?ids=4,3,1`)
      expect(body).toMatchObject({
        builds: [{ id: 1 }, { id: 3 }],
        commits: [{ id: 1 }, { id: 3 }],
      })
    },
  )

  test.each(everyPath)(
    'holds the commit of each build at the same position as the build: %s',
    async (path) => {
      const repository = await make.repository()
      for (const sha of ['1', '2', '3']) {
        const { id } = await make.commit(repository, { sha: sha.repeat(40) })
        await make.build({ repository, commit_id: id })
      }
      const { body } = await call(`GET ${path}`)
      const { builds, commits } = body as Record<string, { id: number; commit_id: number }[]>
      const order = path.includes('ids') ? [1, 2] : [3, 2, 1]
      expect(builds?.map(({ commit_id }) => commit_id)).toEqual(order)
      expect(commits?.map(({ id }) => id)).toEqual(order)
    },
  )

  test('leaves out secure entries of the jobs of a fork', async () => {
    const build = await make.build()
    await db.updateTable('requests').set({ from_fork: true }).execute()
    await make.job({ build, config: json({ env: ['A=1', { secure: 'c2VhbGVk' }] }) })
    expect((await call('GET /builds?ids=1')).body).toMatchObject({
      jobs: [{ config: { env: 'A=1' } }],
    })
  })

  test('leaves out configurations with `exclude_config`', async () => {
    const build = await make.build({ config: json({ language: 'ruby' }) })
    await make.job({ build })
    for (const path of ['/builds?ids=1&', '/repos/1/builds?']) {
      expect((await call(`GET ${path}exclude_config=true`)).body).toMatchObject({
        builds: [{ id: 1, config: {} }],
        jobs: [{ id: 1, config: {} }],
      })
      expect((await call(`GET ${path}exclude_config=false`)).body).toMatchObject({
        builds: [{ config: { language: 'ruby' } }],
      })
    }
  })
})

describe('a list of builds by repository', () => {
  test('holds the 25 builds with the highest numbers, or those below `after_number`', async () => {
    await built(...Array.from({ length: 27 }, () => ({})))
    const numbers = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => from - index)
    expect(await listed('/repos/1/builds')).toEqual(numbers(27, 3))
    expect(await listed('/repos/1/builds?after_number=12')).toEqual(numbers(11, 1))
    expect(await listed('/builds?after_number=3&repository_id=1')).toEqual([2, 1])
  })

  test.each([
    ['number=2', [2]],
    ['number=02', []],
    ['number=2x', []],
    ['number=-2', []],
    ['number=99', []],
    ['number=99999999999999999999', []],
    ['number=2147483648', []],
    ['number=%00', []],
    ['number=2&event_type=push', []],
    ['after_number=1', []],
    ['after_number=x', []],
    ['after_number=', []],
    ['after_number=-7', []],
    ['after_number=99999999999999999999', [4, 3, 2, 1]],
    ['event_type=push', [1]],
    ['event_type=pull_request', [2]],
    ['event_type[]=api&event_type[]=cron', [4, 3]],
    ['event_type=api,push', [3, 1]],
    ['event_type=Push', []],
    ['event_type=%00', []],
    ['event_type=', [4, 3, 2, 1]],
    ['event_type=push&after_number=1', []],
    ['state=passed', [1]],
    ['state=passed,failed', [2, 1]],
    ['state=queued', []],
    ['state=%00', []],
    ['pull_request=true', [2]],
    ['pull_request=false', [4, 3, 1]],
    ['pull_request=', [4, 3, 2, 1]],
    ['branch=main', [1]],
    ['branch=main,next', [3, 1]],
    ['branch=Main', []],
    ['branch=%00', []],
    ['branch=', [4, 3, 2, 1]],
    ['exclude=1&foo[bar]=2', [4, 3, 2, 1]],
  ])('with %s holds the builds %j', async (query, ids) => {
    const repository = await make.repository()
    const main = await putBranch(db, repository.id, 'main')
    const next = await putBranch(db, repository.id, 'next')
    await make.build({ repository, branch_id: main.id, state: 'passed' })
    await make.build({ repository, event_type: 'pull_request', state: 'failed' })
    await make.build({ repository, event_type: 'api', branch_id: next.id })
    await make.build({ repository, event_type: 'cron' })
    await make.build({ repository: await make.repository({ name: 'other' }), branch_id: main.id })
    expect(await listed(`/builds?repository_id=1&${query}`)).toEqual(ids)
    expect(await listed(`/repos/1/builds?${query}`)).toEqual(ids)
  })

  test('hides builds made in private from users without a role', async () => {
    const repository = await built({}, { private: true }, {})
    const user = await make.user()
    expect(await listed('/repos/1/builds', user.token)).toEqual([3, 1])
    await make.permission(user, repository)
    expect(await listed('/repos/1/builds', user.token)).toEqual([3, 2, 1])
  })

  test.each([
    '/builds?repository_id=9',
    '/builds?repository_id=x',
    '/builds?repository_id=-1',
    '/builds?repository_id=9223372036854775808',
    '/builds?repository_id=',
    '/builds?slug=octavia',
    '/builds?slug=%00/%00',
    '/repos/9/builds',
    '/repos/octavia/none/builds',
  ])('is empty for a repository that does not exist: %s', async (path) => {
    await make.build()
    expect(await call(`GET ${path}`)).toEqual(nothing)
    expect(await call(`GET ${path}`, { headers: v2 })).toEqual({
      status: 401,
      body: 'no access token supplied',
    })
    const { token } = await make.user()
    expect(await call(`GET ${path}`, { token, headers: v2 })).toEqual(nothing)
  })

  test('is empty for a hidden repository', async () => {
    await make.build({ repository: await make.repository({ private: true }) })
    for (const path of ['/builds?repository_id=1', '/repos/1/builds']) {
      expect(await call(`GET ${path}`)).toEqual(nothing)
      expect(await call(`GET ${path}`, { headers: v2 })).toMatchObject({ status: 401 })
    }
  })
})

describe('a list of builds by ids', () => {
  test.each([
    ['3,1', [1, 3]],
    ['1,1', [1]],
    ['x,2,9', [2]],
    ['9223372036854775808,-1,1.5,2', [2]],
    ['%00', []],
    ['', []],
    ['&ids[x]=1', []],
  ])('"%s" holds the builds %j', async (ids, found) => {
    await built({}, {}, {})
    expect(await listed(`/builds?ids=${ids}`)).toEqual(found)
    expect(await listed(`/builds?repository_id=1&ids=${ids}&number=1`)).toEqual(found)
  })

  test('holds any number of builds', async () => {
    await built(...Array.from({ length: 30 }, () => ({})))
    const ids = Array.from({ length: 1500 }, (_, index) => index + 1)
    expect(await listed(`/builds?ids=${ids.join(',')}`)).toHaveLength(30)
  })

  test('leaves out hidden builds, in V2 too', async () => {
    const open = await make.repository()
    const hidden = await make.repository({ name: 'hidden', private: true })
    const gone = await make.repository({ name: 'gone', deleted_at: noon })
    await make.build({ repository: open })
    await make.build({ repository: open, private: true })
    await make.build({ repository: hidden })
    await make.build({ repository: hidden, private: false })
    await make.build({ repository: gone })
    const user = await make.user()
    await make.permission(user, hidden)
    const path = '/builds?ids=1,2,3,4,5'
    expect(await listed(path)).toEqual([1])
    expect(idsOf((await call(`GET ${path}`, { headers: v2 })).body, 'builds')).toEqual([1])
    expect(await listed(path, user.token)).toEqual([1, 3, 4])
    expect(await listed(path, await make.token(user, ['public']))).toEqual([1])
    const { body } = await closed(`GET ${path}`, { token: user.token })
    expect(idsOf(body, 'builds')).toEqual([3, 4])
    expect(await closed(`GET ${path}`)).toEqual(nothing)
  })
})

describe('a list of running builds', () => {
  test('holds the builds of repositories on which the caller has a role', async () => {
    const later = new Date('2026-01-02T13:00:00Z')
    const repository = await built(
      { state: 'started', started_at: later },
      { state: 'started', started_at: noon },
      { state: 'passed', started_at: noon },
      {},
    )
    const user = await make.user()
    expect(await listed('/builds?running=true', user.token)).toEqual([])
    await make.permission(user, repository)
    expect(await listed('/builds?running=true', user.token)).toEqual([1, 2])
    expect(await call('GET /builds?running=true')).toEqual(nothing)
    const restricted = await make.token(user, ['public'])
    expect(await listed('/builds?running=1', restricted)).toEqual([])
  })
})

test('a list of builds with `branches` holds the last build of each branch', async () => {
  const repository = await built({}, {}, {})
  for (const [name, build] of [
    ['main', 2],
    ['next', 1],
  ] as const) {
    const { id } = await putBranch(db, repository.id, name)
    await setLastBuildOfBranch(db, id, build, null)
  }
  expect(await listed('/builds?repository_id=1&branches=true')).toEqual([2, 1])
  expect(await listed('/builds?repository_id=1&branches=false')).toEqual([3, 2, 1])
})

test.each(['', '?number=1', '?after_number=1&event_type=push', '?running=false', '?running='])(
  'GET /builds%s is refused without a selector',
  async (query) => {
    await make.build()
    expect(await call(`GET /builds${query}`)).toEqual({
      status: 400,
      body: { error: 'one of ids, repository_id, slug is required' },
    })
  },
)

test('a list of builds refuses a wrong token', async () => {
  await make.build()
  for (const path of everyPath) {
    expect(await call(`GET ${path}`, { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  }
})
