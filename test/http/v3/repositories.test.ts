import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { putOrganization } from '../../../src/store/people/organizations.ts'
import { putUser } from '../../../src/store/people/users.ts'
import { setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { putRepository } from '../../../src/store/repositories/repositories.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { build, hello, makeScene, pushing, type Scene, web } from './scene.ts'
import { wholePage } from './whole-page.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let people: Scene['people']
let acme: Scene['acme']

// Besides the scene's, of the organization: 5 `api` is public and has been built last on its default
// branch, 6 `Apple_pie` is public, inactive and never built, 7 `zoo` is private, and 8 is deleted.
beforeAll(async () => {
  ;({ people, acme } = await makeScene(db))
  const of = { owner_id: acme.id, owner_type: 'Organization', owner_name: 'acme' } as const
  const api = await make.repository({ ...of, name: 'api', codehost_id: 1000 })
  await make.repository({ ...of, name: 'Apple_pie', active: false, codehost_id: 20 })
  const zoo = await make.repository({ ...of, name: 'zoo', private: true, codehost_id: 3 })
  await make.repository({ ...of, name: 'gone', deleted_at: noon, codehost_id: 1001 })
  await make.permission(people.reader, zoo, 'pull')
  for (const [repository, id] of [
    [api, 3],
    [zoo, 4],
  ] as const) {
    const { id: branch_id } = await db
      .insertInto('branches')
      .values({ repository_id: repository.id, name: 'main' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const built = await make.build({ id, repository, branch_id, started_at: noon })
    await setLastBuildOfBranch(db, branch_id, built.id, repository.id)
    await setLastBuild(db, built, noon)
  }
  await make.star(people.stranger, api)
})

interface Page {
  '@pagination': { count: number }
  '@warnings'?: object[]
  repositories: ({ id: number } & Record<string, unknown>)[]
}

const as = (who: keyof typeof people) => ({ token: people[who].token })

async function list(path: string, who?: keyof typeof people): Promise<Page> {
  const { status, body } = await call(`GET ${path}`, who ? as(who) : {})
  expect([path, status]).toEqual([path, 200])
  return body as Page
}

async function ids(path: string, who?: keyof typeof people): Promise<number[]> {
  const { repositories, '@pagination': pagination } = await list(path, who)
  expect(pagination.count).toBe(repositories.length)
  return repositories.map(({ id }) => id)
}

/** What an entry shows besides a single repository. */
const besides = {
  current_build: null,
  last_started_build: null,
  next_build_number: 1,
  private_key: null,
  token: null,
  user_settings: null,
  allow_migration: false,
  email_subscribed: false,
}

const minimal = {
  '@type': 'repository',
  '@href': '/repo/1',
  '@permissions': hello['@permissions'],
  id: 1,
  name: 'hello',
  slug: 'octavia/hello',
}

describe('the repositories of an owner', () => {
  test('have all members of the interface, 31 each', async () => {
    const path = '/owner/octavia/repos'
    const { status, body } = await call(`GET ${path}`)
    expect([status, body]).toEqual([
      200,
      {
        '@type': 'repositories',
        ...wholePage(path, 1, 100),
        repositories: [{ ...hello, ...besides }],
      },
    ])
    const [entry = {}] = (body as Page).repositories
    expect(Object.keys(entry).filter((name) => !name.startsWith('@'))).toHaveLength(31)
  })

  test('show the build that started last, and the viewer’s own attributes', async () => {
    const path = '/owner/acme/repos?private=true&managed_by_installation=true'
    const { body } = await call(`GET ${path}`, as('reader'))
    expect(body).toEqual({
      '@type': 'repositories',
      ...wholePage(path, 1, 100),
      repositories: [
        {
          ...web,
          ...besides,
          owner: expect.objectContaining({ '@href': `/org/${acme.id}`, login: 'acme' }) as object,
          current_build: build,
          last_started_build: build,
          next_build_number: 2,
          email_subscribed: true,
        },
      ],
    })
  })

  test('are shorter in other representations', async () => {
    const path = '/owner/octavia/repos?representation='
    const page = (representation: string, entry: object) => ({
      '@type': 'repositories',
      ...wholePage(`${path}${representation}`, 1, 100),
      '@representation': representation,
      repositories: [{ ...minimal, '@representation': representation, ...entry }],
    })
    const { owner, vcs_id, vcs_type, server_type } = hello
    const listed = { active: true, private: false, owner, vcs_id, vcs_type, server_type }
    const builds = { managed_by_installation: false, current_build: null, last_started_build: null }
    expect(await list(`${path}minimal`)).toEqual(page('minimal', {}))
    expect(await list(`${path}list`)).toEqual(page('list', listed))
    expect(await list(`${path}minimal_with_build`)).toEqual(
      page('minimal_with_build', { ...listed, ...builds }),
    )
  })

  test.each([
    '/owner/acme/repos',
    '/owner/ACME/repos',
    '/owner/codehost/acme/repos',
    '/owner/GitHub/Acme/repos',
  ])('are found at %s', async (path) => {
    expect(await ids(path)).toEqual([5, 6])
  })

  test('are found by the owner’s id at the code host', async () => {
    expect(await ids(`/owner/codehost_id/${acme.codehost_id}/repos`)).toEqual([5, 6])
    expect(await ids(`/owner/codehost_id/0${acme.codehost_id}/repos`)).toEqual([5, 6])
    const { codehost_id } = people.pusher
    expect(await ids(`/owner/codehost_id/${codehost_id}/repos`)).toEqual([4])
  })

  test('of a local owner are found by its provider', async () => {
    expect(await ids('/owner/local/local/repos')).toEqual([3])
    expect(await ids('/owner/local/repos')).toEqual([3])
  })

  test.each([
    '/owner/nobody/repos',
    '/owner/local/acme/repos',
    '/owner/codehost/local/repos',
    '/owner/gitlab/acme/repos',
    '/owner/__proto__/acme/repos',
    '/owner/codehost_id/99999/repos',
    `/owner/codehost_id/${'9'.repeat(30)}/repos`,
    '/owner/codehost_id/acme/repos',
    '/owner/acme%00/repos',
    '/owner/acme%2Fweb/repos',
    '/owner/%25/repos',
  ])('are not found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({
      status: 404,
      body: {
        '@type': 'error',
        error_type: 'not_found',
        error_message: 'owner not found (or insufficient access)',
        resource_type: 'owner',
      },
    })
  })

  test('are those that the viewer can see, and only those are counted', async () => {
    expect(await ids('/owner/acme/repos')).toEqual([5, 6])
    expect(await ids('/owner/acme/repos', 'stranger')).toEqual([5, 6])
    expect(await ids('/owner/acme/repos', 'pusher')).toEqual([2, 5, 6])
    expect(await ids('/owner/acme/repos', 'reader')).toEqual([2, 5, 6, 7])
  })

  test('hide private repositories from a token without permissions', async () => {
    const token = await make.token(people.reader, ['public'])
    const { body } = await call('GET /owner/acme/repos', { token })
    expect((body as Page).repositories.map(({ id }) => id)).toEqual([5, 6])
  })

  test('do not include repositories that are only shared with the owner', async () => {
    expect(await ids('/owner/pusher/repos', 'pusher')).toEqual([4])
    expect(await ids('/owner/reader/repos', 'reader')).toEqual([])
  })

  test('are those of an organization rather than a user with the same login, and of the newest organization', async () => {
    await putUser(db, { provider: 'codehost', codehost_id: 9001, login: 'acme' })
    expect(await ids('/owner/acme/repos')).toEqual([5, 6])
    const twinOf = (codehost_id: number) =>
      putOrganization(db, { provider: 'codehost', codehost_id, login: 'twin' })
    const twin = await twinOf(9002)
    const other = await twinOf(9003)
    const of = { owner_type: 'Organization', owner_name: 'twin', private: false } as const
    await make.repository({ ...of, owner_id: twin.id, name: 'old', codehost_id: 9004 })
    const newer = { ...of, owner_id: other.id, name: 'new', codehost_id: 9005 }
    const { id } = await make.repository(newer)
    expect(await ids('/owner/twin/repos')).toEqual([id])
  })
})

describe('the repositories of the caller', () => {
  test('need a login', async () => {
    expect(await call('GET /repos')).toEqual({
      status: 403,
      body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
    })
    expect(await call('GET /repos', { token: 'wrong' })).toMatchObject({
      status: 403,
      body: { error_type: 'wrong_credentials' },
    })
  })

  test('are those on which the caller has a role', async () => {
    expect(await ids('/repos', 'reader')).toEqual([2, 3, 7])
    expect(await ids('/repos', 'pusher')).toEqual([2])
    expect(await ids('/repos', 'stranger')).toEqual([])
  })

  test('are empty for a token without permissions', async () => {
    const token = await make.token(people.reader, ['public'])
    expect((await call('GET /repos', { token })).body).toMatchObject({ repositories: [] })
  })

  test('show the caller’s permissions', async () => {
    const { repositories } = await list('/repos', 'pusher')
    expect(repositories).toMatchObject([{ id: 2, '@permissions': pushing, shared: false }])
  })

  test('hide builds that the caller cannot see', async () => {
    const { repositories } = await list('/owner/local/repos', 'stranger')
    expect(repositories).toMatchObject([{ id: 3, current_build: null }])
    expect((await list('/repos', 'reader')).repositories[1]).toMatchObject({
      id: 3,
      current_build: { id: 2 },
    })
  })
})

describe('filters of repositories', () => {
  test.each<[string, number[]]>([
    ['active=true', [2, 5, 7]],
    ['active=false', [6]],
    ['active=0', [6]],
    ['active=true,false', [2, 5, 6, 7]],
    ['active[]=true&active[]=false', [2, 5, 6, 7]],
    ['active=true&active=false', [2, 5, 6, 7]],
    ['active=', [2, 5, 6, 7]],
    ['active=yes', [2, 5, 7]],
    ['repository.active=false', [6]],
    ['private=true', [2, 7]],
    ['repository.private=false', [5, 6]],
    ['starred=true', [2]],
    ['starred=false', [5, 6, 7]],
    ['repository.starred=true,false', [2, 5, 6, 7]],
    ['managed_by_installation=true', [2]],
    ['repository.managed_by_installation=false', [5, 6, 7]],
    ['active_on_org=true', []],
    ['active_on_org=false', [2, 5, 6, 7]],
    ['repository.active_on_org=true', []],
    ['private=true&starred=true&active=true', [2]],
    ['private=false&starred=true', []],
    ['name_filter=ap', [5, 6]],
    ['name_filter=AE', [6]],
    ['repository.name_filter=ea', []],
    ['name_filter=_', [6]],
    ['name_filter=%25', []],
    ['name_filter=%5C', []],
    ['name_filter=%00', []],
    ['name_filter=', [2, 5, 6, 7]],
    ['slug_filter=acme/z', [7]],
    ['slug_filter=AMZ', [7]],
    ['repository.slug_filter=me/a', [5, 6]],
    ['name_filter=z,w', [2, 7]],
  ])('by %s', async (query, expected) => {
    expect(await ids(`/owner/acme/repos?${query}`, 'reader')).toEqual(expected)
  })

  test('count no repository as starred for an anonymous viewer', async () => {
    expect(await ids('/owner/acme/repos?starred=true')).toEqual([])
    expect(await ids('/owner/acme/repos?starred=false')).toEqual([5, 6])
    expect(await ids('/owner/acme/repos?starred=true', 'stranger')).toEqual([5])
  })

  test('are the same for the repositories of the caller', async () => {
    expect(await ids('/repos?private=false', 'reader')).toEqual([3])
    expect(await ids('/repos?starred=true', 'reader')).toEqual([2])
    expect(await ids('/repos?slug_filter=l/t', 'reader')).toEqual([3])
  })
})

describe('the order of repositories', () => {
  test.each<[string, number[]]>([
    ['id', [2, 5, 6, 7]],
    ['id:desc', [7, 6, 5, 2]],
    ['codehost_id', [7, 6, 2, 5]],
    ['codehost_id:desc', [5, 2, 6, 7]],
    // As texts.
    ['vcs_id', [5, 2, 6, 7]],
    ['active', [2, 5, 7, 6]],
    ['active:desc', [6, 7, 5, 2]],
    ['active,id:desc', [7, 5, 2, 6]],
    ['name:desc', [7, 2]],
    ['owner_name,id:desc', [7, 6, 5, 2]],
    ['default_branch.last_build', [5, 7, 2, 6]],
    ['default_branch.last_build:desc', [7, 5, 6, 2]],
    ['current_build', [2, 5, 7, 6]],
    ['current_build:desc', [7, 5, 2, 6]],
  ])('by %s', async (keys, expected) => {
    const found = await ids(`/owner/acme/repos?sort_by=${keys}`, 'reader')
    // How letters of both cases and other signs are ordered is up to the database.
    expect(keys.startsWith('name') ? found.slice(0, expected.length) : found).toEqual(expected)
  })

  test.each<[string, number[]]>([
    ['name_filter=ap&sort_by=name_filter:desc', [5, 6]],
    ['name_filter=ap&sort_by=name_filter', [6, 5]],
    ['slug_filter=aeo&sort_by=slug_filter:desc', [7]],
    ['slug_filter=e/a&sort_by=slug_filter:desc', [5, 6]],
  ])('by similarity: %s', async (query, expected) => {
    const page = await list(`/owner/acme/repos?${query}`, 'reader')
    expect(page.repositories.map(({ id }) => id)).toEqual(expected)
    expect(page).not.toHaveProperty('@warnings')
  })

  test('by the last build follows the default branch', async () => {
    const path = '/owner/acme/repos?sort_by=default_branch.last_build:desc'
    const { provider, codehost_id, owner_id, owner_type, owner_name, name } = await db
      .selectFrom('repositories')
      .selectAll()
      .where('id', '=', 5)
      .executeTakeFirstOrThrow()
    const api = { provider, codehost_id, owner_id, owner_type, owner_name, name }
    const change = (default_branch_name: string) =>
      putRepository(db, { ...api, default_branch_name })
    await change('next')
    expect(await ids(path, 'reader')).toEqual([7, 6, 5, 2])
    await change('main')
    expect(await ids(path, 'reader')).toEqual([7, 5, 6, 2])
  })

  test('by similarity has no effect without `slug_filter`, which leads to a warning without a type', async () => {
    const page = await list('/owner/acme/repos?sort_by=slug_filter:desc,id:desc', 'reader')
    expect(page.repositories.map(({ id }) => id)).toEqual([7, 6, 5, 2])
    expect(page['@warnings']).toEqual([
      {
        '@type': 'warning',
        message: 'sort_by slug_filter has no effect without slug_filter, ignored',
      },
    ])
  })

  test('ignores unknown keys, with a warning', async () => {
    const page = await list('/owner/acme/repos?sort_by=stars,id:down,id:desc', 'reader')
    expect(page.repositories.map(({ id }) => id)).toEqual([7, 6, 5, 2])
    expect(page['@warnings']).toMatchObject([
      { warning_type: 'ignored_value', parameter: 'sort_by', value: 'stars' },
      { warning_type: 'ignored_value', parameter: 'sort_by', value: 'id:down' },
    ])
  })
})

describe('pages of repositories', () => {
  test('link to their neighbours', async () => {
    const path = '/owner/acme/repos'
    const at = (offset: number) => ({
      '@href': `${path}?limit=1&offset=${offset}&private=false,true`,
      offset,
      limit: 1,
    })
    const page = await list(`${path}?private=false,true&offset=2&limit=1`, 'reader')
    expect(page.repositories).toMatchObject([{ id: 6 }])
    expect(page['@pagination']).toEqual({
      limit: 1,
      offset: 2,
      count: 4,
      is_first: false,
      is_last: false,
      next: at(3),
      prev: at(1),
      first: at(0),
      last: at(3),
    })
  })

  test.each([
    ['', 100],
    ['limit=0', 100],
    ['limit=101', 100],
    ['limit=-1', 100],
    ['limit=99', 99],
  ])('have a limit: %s', async (query, limit) => {
    expect(await list(`/repos?${query}`, 'reader')).toMatchObject({ '@pagination': { limit } })
  })

  test.each(['limit=x', 'limit=', 'offset=1.5', 'offset=', 'limit[]=1'])(
    'are refused by %s',
    async (query) => {
      expect(await call(`GET /repos?${query}`, as('reader'))).toMatchObject({
        status: 400,
        body: { '@type': 'error', error_type: 'wrong_params' },
      })
    },
  )

  test('past the end are empty', async () => {
    expect(await list(`/repos?offset=${'9'.repeat(20)}`, 'reader')).toMatchObject({
      repositories: [],
      '@pagination': { is_last: true, count: 3 },
    })
  })
})

test('a repository whose owner was deleted is neither listed nor counted', async () => {
  const { '@pagination': pagination, repositories } = await list('/repos', 'reader')
  const owner = { owner_id: 999, owner_type: 'Organization', owner_name: 'left' } as const
  const left = await make.repository({ ...owner, name: 'left', codehost_id: 1002 })
  await make.permission(people.reader, left, 'pull')
  expect(await list('/repos', 'reader')).toMatchObject({
    '@pagination': pagination,
    repositories: repositories.map(({ id }) => ({ id })),
  })
  expect(pagination.count).toBe(repositories.length)
})

describe('includes of repositories', () => {
  test('show the settings as a list with a path of its own', async () => {
    const { repositories } = await list('/repos?include=repository.user_settings', 'pusher')
    const user_settings = repositories[0]?.['user_settings']
    expect(user_settings).toMatchObject({
      '@type': 'settings',
      '@href': '/repo/2/settings',
      '@representation': 'standard',
    })
    expect((user_settings as { settings: object[] }).settings).toEqual(
      ((await call('GET /repo/2/settings', as('pusher'))).body as { settings: object[] }).settings,
    )
    const single = await call('GET /v3/repo/2?include=repository.user_settings', as('reader'))
    expect(single.body).toMatchObject({
      user_settings: {
        '@href': '/v3/repo/2/settings',
        settings: expect.arrayContaining([
          expect.objectContaining({ '@permissions': { read: true, write: false } }),
        ]) as unknown,
      },
    })
  })

  test('show an owner in full, once', async () => {
    const { repositories } = await list('/owner/acme/repos?include=repository.owner', 'reader')
    for (const { owner } of repositories) {
      expect(owner).toMatchObject({ '@representation': 'standard', login: 'acme' })
    }
  })

  test('count the builds that are not for pull requests', async () => {
    const { repositories } = await list('/repos?include=repository.build_count', 'reader')
    expect(repositories).toMatchObject([
      { name: 'web', build_count: 0 },
      { name: 'tool', build_count: 1 },
      { name: 'zoo', build_count: 1 },
    ])
  })

  test('ignore the list itself, and refuse unknown attributes', async () => {
    const path = '/owner/acme/repos?include=repository.repositories'
    expect(await list(path)).not.toHaveProperty('@warnings')
    expect(await call('GET /owner/acme/repos?include=repository.colour')).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })
})

test.each(['/repos', '/owner/acme/repos'])(
  '%s is closed to strangers if the public mode is off',
  async (path) => {
    const ctx = testContext(db)
    const site = { ...ctx.site, publicMode: false }
    const closed = v3Client(await createServer({ ...ctx, site }))
    const found = async (who: keyof typeof people) => {
      const { body } = await closed(`GET ${path}`, as(who))
      return (body as Page).repositories?.map(({ id }) => id)
    }
    expect(await found('reader')).toEqual(path === '/repos' ? [2, 3, 7] : undefined)
    expect(await found('pusher')).toEqual([2])
  },
)
