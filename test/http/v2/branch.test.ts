import { describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { v2Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { idsOf, shownBuild, shownCommit } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))
const v2 = { accept: 'application/vnd.service.2+json' }
const nothing = { status: 200, body: { branches: [], commits: [] } }

/** A build that is the last one of a branch. */
async function builtOn(name: string, given: Parameters<typeof make.build>[0] = {}) {
  const repository = given.repository ?? (await make.repository())
  const { id } = await putBranch(db, repository.id, name)
  const build = await make.build({ repository, branch_id: id, ...given })
  await setLastBuildOfBranch(db, id, build.id, null)
  return build
}

/** A repository with a build on `main`, and an older one on `feature/a b`. */
async function twoBranches(): Promise<Repository> {
  const repository = await make.repository()
  const commit = await make.commit(repository, { sha: shownCommit.sha })
  await builtOn('feature/a b', { repository, commit_id: commit.id })
  const build = await builtOn('main', { repository, commit_id: commit.id, event_type: 'api' })
  await make.job({ build })
  await putBranch(db, repository.id, 'never')
  return repository
}

const main = { ...shownBuild, id: 2, number: '2', event_type: 'api', job_ids: [1] }

describe('the list of branches of a repository', () => {
  test.each([
    '/repos/1/branches',
    '/repos/1/branches/',
    '/repos/octavia/hello/branches',
    '/repos/octavia%2Fhello/branches',
    '/branches?repository_id=1',
    '/branches/?slug=Octavia/hello',
  ])('shows the last build of each branch, newest first: %s', async (path) => {
    await twoBranches()
    expect(await call(`GET ${path}`)).toEqual({
      status: 200,
      body: { branches: [main, shownBuild], commits: [shownCommit, shownCommit] },
    })
  })

  test('has at most 25 branches', async () => {
    const repository = await make.repository()
    for (let number = 1; number <= 27; number += 1) await builtOn(`b${number}`, { repository })
    const { body } = await call('GET /repos/1/branches')
    const newest = Array.from({ length: 25 }, (_, index) => 27 - index)
    expect(idsOf(body, 'branches')).toEqual(newest)
  })

  test('leaves out branches whose last build was made in private', async () => {
    const repository = await make.repository()
    await builtOn('main', { repository })
    await builtOn('secret', { repository, private: true })
    const user = await make.user()
    const read = async () =>
      idsOf((await call('GET /repos/1/branches', { token: user.token })).body, 'branches')
    expect(await read()).toEqual([1])
    await make.permission(user, repository)
    expect(await read()).toEqual([2, 1])
  })

  test.each([
    '/repos/9/branches',
    '/repos/octavia/none/branches',
    '/branches?repository_id=x',
    '/branches?repository_id=9223372036854775808',
    '/branches?slug=%00',
    '/branches',
  ])('is empty if there is no such repository: %s', async (path) => {
    await twoBranches()
    expect(await call(`GET ${path}`)).toEqual(nothing)
    expect(await call(`GET ${path}`, { headers: v2 })).toEqual({
      status: 401,
      body: 'no access token supplied',
    })
  })

  test('is empty if the repository is hidden', async () => {
    await builtOn('main', { repository: await make.repository({ private: true }) })
    for (const path of ['/repos/1/branches', '/branches?repository_id=1']) {
      expect(await call(`GET ${path}`)).toEqual(nothing)
      const { token } = await make.user()
      expect(await call(`GET ${path}`, { token, headers: v2 })).toEqual(nothing)
    }
  })

  test('can be requested by the ids of builds', async () => {
    await twoBranches()
    await make.build({ repository: await make.repository({ name: 'hidden', private: true }) })
    const { body } = await call('GET /branches?ids=2,1,3,x')
    expect(body).toMatchObject({
      branches: [{ id: 1 }, { id: 2, job_ids: [1] }],
      commits: [{ id: 1 }, { id: 1 }],
    })
    expect(idsOf(body, 'branches')).toEqual([1, 2])
  })

  test('is refused to a wrong token', async () => {
    await twoBranches()
    for (const path of ['/repos/1/branches', '/branches?ids=1', '/repos/1/branches/main']) {
      const answer = await call(`GET ${path}`, { token: 'wrong' })
      expect(answer).toEqual({ status: 403, body: 'access denied' })
    }
  })
})

describe('a single branch', () => {
  test.each([
    '/repos/1/branches/main',
    '/repos/1/branches/main/',
    '/repos/octavia/hello/branches/main',
    '/repos/octavia%2Fhello/branches/main',
    '/repos/1/branches/none,main',
    '/repos/1/branches/main,feature%2Fa%20b',
  ])('is shown as its last build: %s', async (path) => {
    await twoBranches()
    expect(await call(`GET ${path}`)).toEqual({
      status: 200,
      body: { branch: main, commit: { ...shownCommit, branch_is_default: true } },
    })
  })

  test.each(['/repos/1/branches/feature/a%20b', '/repos/1/branches/feature%2fa%20b'])(
    'can have slashes in its name: %s',
    async (path) => {
      await twoBranches()
      expect(await call(`GET ${path}`)).toMatchObject({ body: { branch: { id: 1 } } })
    },
  )

  test('can have commas, percent signs and other characters in its name', async () => {
    const repository = await make.repository()
    for (const name of ['a,b', 'x.json', '7', 'a%b']) await builtOn(name, { repository })
    for (const [index, path] of ['a,b', 'x.json', '7', 'a%25b'].entries()) {
      const answer = await call(`GET /repos/1/branches/${path}`)
      expect([path, answer]).toMatchObject([path, { body: { branch: { id: index + 1 } } }])
    }
  })

  test.each([
    '/repos/1/branches/never',
    '/repos/1/branches/none',
    '/repos/1/branches/Main',
    '/repos/1/branches/main%00',
    '/repos/1/branches/,',
    '/repos/9/branches/main',
    '/repos/octavia/none/branches/main',
  ])('is not found at %s', async (path) => {
    await twoBranches()
    expect(await call(`GET ${path}`)).toEqual({ status: 404, body: { file: 'not found' } })
    expect(await call(`GET ${path}`, { headers: v2 })).toMatchObject({ status: 401 })
  })

  test('is not found if its build or its repository is hidden', async () => {
    const hidden = await make.repository({ private: true })
    await builtOn('main', { repository: hidden })
    const open = await make.repository({ name: 'open' })
    await builtOn('main', { repository: open, private: true })
    const user = await make.user()
    await make.permission(user, hidden)
    await make.permission(user, open)
    for (const path of ['/repos/1/branches/main', '/repos/2/branches/main']) {
      expect(await call(`GET ${path}`)).toEqual({ status: 404, body: { file: 'not found' } })
      expect(await call(`GET ${path}`, { token: user.token })).toMatchObject({ status: 200 })
    }
  })
})
