import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { watchStatements } from '../../support/statements.ts'
import { prefixed } from '../door.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const call = v3Client(await createServer(ctx))
const below = v3Client(await createServer(prefixed(ctx)))

let member: { token: string }

// Three branches, the first one the default branch; each has a build, of a pull request of its own.
beforeAll(async () => {
  const make = factories(db)
  const repository = await make.repository({ default_branch_name: 'a' })
  member = await make.user()
  await make.permission(member as never, repository, 'push')
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const { id } = await putBranch(db, repository.id, name)
    const pull = await make.pullRequest(repository, { number: index + 1, title: name })
    const build = await make.build({ repository, branch_id: id, pull_request_id: pull.id })
    await setLastBuildOfBranch(db, id, build.id, null)
    await setLastBuild(db, build, noon)
  }
})

const at = (href: string, offset: number, limit: number) => ({ '@href': href, offset, limit })

describe('the paths to other pages', () => {
  test('keep the query as it was written, sorted by name, with another limit and offset', async () => {
    const path = '/repo/octavia%2fhello/branches'
    const given = `${path}?x&branch.name=%61,+b,c&limit=1&a=2&a=%zz&%6fffset=1&sort_by=name`
    const rest = 'a=2&a=%zz&branch.name=%61,+b,c'
    expect(await call(`GET ${given}`)).toMatchObject({
      body: {
        '@href': given,
        '@pagination': {
          first: at(`${path}?${rest}&limit=1&offset=0&sort_by=name&x`, 0, 1),
          prev: at(`${path}?${rest}&limit=1&offset=0&sort_by=name&x`, 0, 1),
          next: at(`${path}?${rest}&limit=1&offset=2&sort_by=name&x`, 2, 1),
          last: at(`${path}?${rest}&limit=1&offset=2&sort_by=name&x`, 2, 1),
        },
      },
    })
  })

  test('have the prefix of the installation and of the generation', async () => {
    expect(await below('GET /ci/v3/repo/1/branches?limit=2')).toMatchObject({
      body: {
        '@href': '/ci/v3/repo/1/branches?limit=2',
        '@pagination': { next: at('/ci/v3/repo/1/branches?limit=2&offset=2', 2, 2) },
      },
    })
  })
})

describe('a list without a count', () => {
  test.each([
    ['true', 4],
    ['false', 3],
    ['1', 3],
    ['', 3],
  ])('skip_count=%s', async (value, count) => {
    const { body } = await call(`GET /repo/1/branches?limit=2&skip_count=${value}`)
    expect(body).toMatchObject({ '@pagination': { count } })
    expect(body).not.toHaveProperty('@warnings')
  })
})

describe('a representation', () => {
  interface List {
    '@representation': string
    repositories: Record<string, unknown>[]
  }
  const listed = async (query: string) => {
    const { status, body } = await call(`GET /repos?${query}`, member)
    return { status, list: body as List }
  }
  const namesIn = (entry: object = {}) => Object.keys(entry).filter((name) => !name.startsWith('@'))

  test.each([
    ['minimal', ['id', 'name', 'slug']],
    [
      'list',
      [
        ...['id', 'name', 'slug', 'active', 'private', 'owner', 'vcs_id', 'vcs_type'],
        'server_type',
      ],
    ],
    [
      'minimal_with_build',
      [
        ...['id', 'name', 'slug', 'active', 'private', 'owner', 'vcs_id', 'vcs_type'],
        ...['server_type', 'managed_by_installation', 'current_build', 'last_started_build'],
      ],
    ],
  ])('%s applies to the list and to its entries', async (name, members) => {
    const { list } = await listed(`representation=${name}`)
    expect(list).not.toHaveProperty('@warnings')
    expect(list['@representation']).toBe(name)
    expect(list.repositories).toMatchObject([{ '@representation': name }])
    expect(namesIn(list.repositories[0])).toEqual(members)
  })

  test('named "standard" has more attributes in a list than for a single record', async () => {
    const single = (await call('GET /repo/1', member)).body as object
    for (const query of ['', 'representation=standard', 'representation=']) {
      const { list } = await listed(query)
      expect(list.repositories).toMatchObject([{ '@representation': 'standard' }])
      expect(namesIn(list.repositories[0])).toEqual([
        ...namesIn(single),
        ...['current_build', 'last_started_build', 'next_build_number', 'private_key', 'token'],
        ...['user_settings', 'allow_migration', 'email_subscribed'],
      ])
    }
  })

  test.each(['internal', 'colour', 'toString', 'constructor'])(
    'that does not exist is refused for a list: %s',
    async (name) => {
      expect(await call(`GET /repos?representation=${name}`, member)).toEqual({
        status: 400,
        body: {
          '@type': 'error',
          error_type: 'wrong_params',
          error_message: `repositories have no representation "${name}"`,
        },
      })
      // A record has always the same one.
      expect(await call(`GET /repo/1?representation=${name}`)).toMatchObject({
        status: 200,
        body: { '@representation': 'standard' },
      })
    },
  )
})

describe('a list', () => {
  test('of the caller’s repositories can be sorted and filtered, even by hidden keys', async () => {
    const { body } = await call(
      'GET /repos?active=true&name_filter=hello&sort_by=current_build&limit=1',
      member,
    )
    expect(body).toMatchObject({ repositories: [{ id: 1 }], '@pagination': { count: 1 } })
    expect(body).not.toHaveProperty('@warnings')
    const other = await call('GET /repos?active=false', member)
    expect(other.body).toMatchObject({ repositories: [], '@pagination': { count: 0 } })
    expect(await call('GET /repos')).toMatchObject({ status: 403 })
  })

  test('without pages has no pagination, and ignores parameters for pages', async () => {
    const { body } = await call('GET /repo/1/settings?limit=1&sort_by=name', member)
    expect(body).toMatchObject({
      '@warnings': [{ parameter: 'limit' }, { parameter: 'sort_by' }],
      '@type': 'settings',
      '@href': '/repo/1/settings?limit=1&sort_by=name',
      '@representation': 'standard',
    })
    expect(body).not.toHaveProperty('@pagination')
    expect((body as { settings: unknown[] }).settings[1]).toEqual({
      '@type': 'setting',
      '@href': '/repo/1/setting/build_pushes',
      '@representation': 'standard',
      '@permissions': { read: true, write: true },
      name: 'build_pushes',
      value: true,
    })
  })

  test('cannot be included in its own entries, which is ignored', async () => {
    const include = 'branch.repository,repository.branches'
    const { status, body } = await call(`GET /repo/1/branches?include=${include}`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('@warnings')
  })

  test('accepts a limit and an offset of any length, and refuses values that are not numbers', async () => {
    const large = '9'.repeat(30)
    expect(await call(`GET /repo/1/branches?limit=${large}&offset=${large}`)).toMatchObject({
      status: 200,
      body: { branches: [], '@pagination': { limit: 100, is_last: true } },
    })
    expect(await call('GET /repo/1/branches?limit=x')).toMatchObject({ status: 400 })
    // What is not there is missing, whatever is requested of it.
    expect(await call('GET /repo/9/branches?limit=x')).toMatchObject({ status: 404 })
  })
})

describe('a record linked from several entries', () => {
  test('is only its path in entries after its own entry', async () => {
    const include = 'branch.repository,repository.default_branch'
    const { body } = await call(`GET /repo/1/branches?sort_by=name&include=${include}`)
    const [a, b, c] = (body as { branches: { repository: { default_branch: object } }[] }).branches
    // Its own entry is around it.
    expect(a?.repository.default_branch).toEqual({ '@href': '/repo/1/branch/a' })
    expect(b?.repository.default_branch).toEqual({ '@href': '/repo/1/branch/a' })
    expect(c?.repository.default_branch).toEqual({ '@href': '/repo/1/branch/a' })
  })

  test('is shown in full in entries before its own entry', async () => {
    const include = 'branch.repository,repository.default_branch'
    const { body } = await call(`GET /repo/1/branches?sort_by=name:desc&include=${include}`)
    const { branches } = body as { branches: { repository: { default_branch: object } }[] }
    expect(branches).toMatchObject([
      { name: 'c', repository: { '@representation': 'standard', default_branch: { name: 'a' } } },
      { name: 'b', repository: { '@representation': 'standard', default_branch: { name: 'a' } } },
      { name: 'a', repository: { '@representation': 'standard' } },
    ])
    expect(branches[2]?.repository.default_branch).toEqual({ '@href': '/repo/1/branch/a' })
  })
})

describe('no statement is sent twice within one call', () => {
  const builds = ['repository.current_build', 'repository.last_started_build']

  test.each([
    [`/repo/1?include=${builds.join(',')}`, 1],
    // The build of the default branch is another one, one level deeper.
    [`/repo/1?include=${builds.join(',')},repository.default_branch,repository.owner`, 2],
    [`/repo/1/branches?include=branch.repository,branch.recent_builds,${builds.join(',')}`, 1],
  ])('%s', async (path, reads) => {
    const statements = watchStatements()
    expect(await call(`GET ${path}`, member)).toMatchObject({ status: 200 })
    const sent = statements.map((statement) => JSON.stringify(statement))
    expect(sent.filter((text, index) => sent.indexOf(text) !== index)).toEqual([])
    const linked = statements.filter(({ text }) => text.startsWith(`select 'branches' as "from"`))
    const tables: string[] = linked[0]?.text.match(/(?<=row_to_json\()\w+/g) ?? []
    const reading = (table: string) =>
      linked.filter(({ values }) => (values[tables.indexOf(table)] as number[]).length > 0).length
    expect([reading('builds'), reading('pull_requests')]).toEqual([reads, reads])
  })
})
