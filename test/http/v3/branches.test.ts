import { beforeAll, describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import {
  markBranchGone,
  putBranch,
  setLastBuildOfBranch,
} from '../../../src/store/repositories/branches.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { reading } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let member: { token: string }

// Of repository 1: a default branch without a build, one with a public build, one with a private
// one, one that is gone, one that was never built, and two that went before it was made public.
beforeAll(async () => {
  const repository = await make.repository({ default_branch_name: 'main' })
  const user = await make.user()
  await make.permission(user, repository, 'push')
  member = user
  await putBranch(db, repository.id, 'main')
  await branchWithBuild(repository, 'feature/a b', false)
  await branchWithBuild(repository, 'secret', true)
  await branchWithBuild(repository, 'gone', false)
  await putBranch(db, repository.id, 'never')
  await branchWithBuild(repository, 'acquire-initech', true)
  await putBranch(db, repository.id, 'layoffs')
  await Promise.all(
    ['gone', 'acquire-initech', 'layoffs'].map((name) => markBranchGone(db, repository.id, name)),
  )
  await make.repository({ name: 'closed', private: true })
})

async function branchWithBuild(repository: Repository, name: string, hidden: boolean) {
  const { id } = await putBranch(db, repository.id, name)
  const build = await make.build({ repository, branch_id: id, private: hidden, state: 'passed' })
  await setLastBuildOfBranch(db, id, build.id, null)
}

const permissions = (write: boolean) => ({ '@permissions': { read: true, write } })

const branchA = {
  '@type': 'branch',
  '@href': '/repo/1/branch/feature%2Fa%20b',
  '@representation': 'standard',
  ...permissions(false),
  name: 'feature/a b',
  repository: {
    '@type': 'repository',
    '@href': '/repo/1',
    '@representation': 'minimal',
    '@permissions': reading,
    id: 1,
    name: 'hello',
    slug: 'octavia/hello',
  },
  default_branch: false,
  exists_on_codehost: true,
  last_build: {
    '@type': 'build',
    '@href': '/build/1',
    '@representation': 'minimal',
    '@permissions': { read: true, write: false, cancel: false, restart: false, prioritize: false },
    id: 1,
    number: '1',
    state: 'passed',
    duration: null,
    event_type: 'push',
    previous_state: null,
    pull_request_title: null,
    pull_request_number: null,
    started_at: null,
    finished_at: '2026-01-02T12:00:00Z',
    private: false,
    priority: false,
  },
}

interface Page {
  branches: { name: string }[]
  '@pagination': object
}

async function names(query: string, token?: string) {
  const { status, body } = await call(`GET /repo/1/branches${query}`, { token })
  expect(status).toBe(200)
  return (body as Page).branches.map(({ name }) => name)
}

describe('GET /repo/{repository}/branch/{branch}', () => {
  test.each([
    '/repo/1/branch/feature%2Fa%20b',
    '/repo/octavia%2Fhello/branch/feature%2Fa%20b',
    '/repo/codehost/1/branch/feature%2fa%20b',
    '/repo/github/octavia%2Fhello/branch/feature%2Fa%20b',
  ])('is found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: branchA })
  })

  test('that was never built is shown without a build', async () => {
    expect(await call('GET /repo/1/branch/main')).toEqual({
      status: 200,
      body: {
        ...branchA,
        '@href': '/repo/1/branch/main',
        name: 'main',
        default_branch: true,
        last_build: null,
      },
    })
  })

  test('hides a build that was made in private', async () => {
    const path = 'GET /repo/1/branch/secret?include=branch.recent_builds'
    expect(await call(path)).toMatchObject({ body: { last_build: null, recent_builds: [] } })
    expect(await call(path, member)).toMatchObject({
      body: { ...permissions(true), last_build: { id: 2 }, recent_builds: [{ id: 2 }] },
    })
  })

  test.each(['acquire-initech', 'layoffs'])(
    'hides a branch deleted before the repository was made public: %s',
    async (name) => {
      const path = `GET /repo/1/branch/${name}`
      expect(await call(path)).toMatchObject({ status: 404, body: { resource_type: 'branch' } })
      expect(await call(path, member)).toMatchObject({ status: 200, body: { name } })
    },
  )

  test('shows a deleted branch while a build of it is public', async () => {
    expect(await call('GET /repo/1/branch/gone')).toMatchObject({
      status: 200,
      body: { exists_on_codehost: false, last_build: { id: 3 } },
    })
  })

  test('reports missing records: the repository before the branch', async () => {
    const missing = (type: string) => ({
      status: 404,
      body: {
        '@type': 'error',
        error_type: 'not_found',
        error_message: `${type} not found (or insufficient access)`,
        resource_type: type,
      },
    })
    expect(await call('GET /repo/1/branch/none')).toEqual(missing('branch'))
    expect(await call('GET /repo/9/branch/main')).toEqual(missing('repository'))
    expect(await call('GET /repo/2/branch/main')).toEqual(missing('repository'))
    expect(await call('GET /repo/1/branch/a%00b')).toEqual(missing('branch'))
  })

  test('shows a default branch that was never pushed to, without storing it', async () => {
    const rows = () => db.selectFrom('branches').select('id').execute()
    const before = await rows()
    const repository = await make.repository({ name: 'fresh', default_branch_name: 'trunk' })
    expect(await call(`GET /repo/${repository.id}/branch/trunk`)).toMatchObject({
      status: 200,
      body: { name: 'trunk', default_branch: true, exists_on_codehost: true, last_build: null },
    })
    await call(`GET /repo/${repository.id}`)
    expect(await rows()).toEqual(before)
  })
})

describe('GET /repo/{repository}/branches', () => {
  test('shows a page of branches', async () => {
    const path = '/repo/codehost/octavia%2Fhello/branches?limit=1&sort_by=last_build'
    const at = (offset: number, href: string) => ({ '@href': href, offset, limit: 1 })
    const next = '/repo/codehost/octavia%2Fhello/branches?limit=1&offset=1&sort_by=last_build'
    const last = '/repo/codehost/octavia%2Fhello/branches?limit=1&offset=2&sort_by=last_build'
    expect(await call(`GET ${path}`)).toEqual({
      status: 200,
      body: {
        '@type': 'branches',
        '@href': path,
        '@representation': 'standard',
        '@pagination': {
          limit: 1,
          offset: 0,
          count: 3,
          is_first: true,
          is_last: false,
          next: at(1, next),
          prev: null,
          first: at(0, path),
          last: at(2, last),
        },
        branches: [branchA],
      },
    })
  })

  test('is sorted by last build by default, and then leaves out branches without a build', async () => {
    expect(await names('')).toEqual(['secret', 'feature/a b', 'gone'])
  })

  test.each([
    ['?sort_by=name', ['feature/a b', 'gone', 'main', 'never', 'secret']],
    ['?sort_by=name:desc', ['secret', 'never', 'main', 'gone', 'feature/a b']],
    ['?sort_by=exists_on_codehost:desc,name', ['gone', 'feature/a b', 'main', 'never', 'secret']],
    ['?sort_by=default_branch,name', ['main', 'feature/a b', 'gone', 'never', 'secret']],
    ['?sort_by=name&branch.name=E', ['feature/a b', 'gone', 'never', 'secret']],
    ['?sort_by=name&name=ma,nev', ['main', 'never']],
    ['?sort_by=name&name[]=100%25', []],
    ['?sort_by=name&name=%00', []],
    ['?sort_by=name&name=ma%00,nev', ['never']],
    ['?sort_by=name&exists_on_codehost=false', ['gone']],
    ['?sort_by=name&branch.exists_on_codehost=true', ['feature/a b', 'main', 'never', 'secret']],
    ['?sort_by=name&exists_on_codehost=0,1', ['feature/a b', 'gone', 'main', 'never', 'secret']],
    ['?sort_by=name&limit=2&offset=3', ['never', 'secret']],
    ['?sort_by=name&offset=9', []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    ['limit=1000', 100],
    ['limit=0', 100],
    ['limit=-4', 25],
    ['offset=-4', 25],
  ])('%s counts as a limit of %i with an offset of 0', async (query, limit) => {
    const { body } = await call(`GET /repo/1/branches?${query}`)
    expect(body).toMatchObject({ '@pagination': { limit, offset: 0 } })
  })

  test.each(['limit=', 'limit=x', 'offset=1.5', 'limit[]=1'])('refuses %s', async (query) => {
    expect(await call(`GET /repo/1/branches?${query}`)).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params', error_message: expect.stringContaining('an integer') },
    })
  })

  test('shows users with a role the branches that were deleted while the repository was private', async () => {
    expect(await names('?sort_by=name&exists_on_codehost=false', member.token)).toEqual([
      'acquire-initech',
      'gone',
      'layoffs',
    ])
  })

  test('shortens the previous page at the start of the list', async () => {
    const { body } = await call('GET /repo/1/branches?sort_by=name&offset=1&limit=3')
    expect(body).toMatchObject({
      '@pagination': {
        prev: { '@href': '/repo/1/branches?limit=1&offset=0&sort_by=name', offset: 0, limit: 1 },
        next: { offset: 4, limit: 3 },
        last: { offset: 3 },
      },
    })
  })

  test('marks no page as the last page with `skip_count`', async () => {
    const { body } = await call('GET /repo/1/branches?skip_count=true&limit=2')
    expect(body).toMatchObject({ '@pagination': { count: 4, is_last: false, next: { offset: 2 } } })
    expect(body).not.toHaveProperty('@warnings')
  })

  test('warns of unknown sort keys and parameters', async () => {
    const { body } = await call('GET /repo/1/branches?sort_by=size,name:up,name&colour=red')
    expect((body as { '@warnings': unknown })['@warnings']).toMatchObject([
      { warning_type: 'ignored_value', parameter: 'sort_by', value: 'size' },
      { warning_type: 'ignored_value', parameter: 'sort_by', value: 'name:up' },
      { warning_type: 'ignored_parameter', parameter: 'colour' },
    ])
    expect(Object.keys(body as object)[0]).toBe('@warnings')
  })

  test('includes attributes of its entries', async () => {
    const { body } = await call('GET /repo/1/branches?include=branch.repository&limit=1')
    expect(body).toMatchObject({
      branches: [{ repository: { '@representation': 'standard', active: true } }],
    })
    expect(await call('GET /repo/1/branches?include=branch.colour')).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })
})
