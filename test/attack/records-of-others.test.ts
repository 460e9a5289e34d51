// A logged-in user can use any record's id in a path, even below a record of their own.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { caller, unlimited } from '../http/door.ts'
import { type Endpoint, endpointsOf, generations, headersOf, rowsOf } from '../http/endpoints.ts'
import { organizationsVariable, usersVariable, variableOf } from '../http/endpoints/keep.ts'
import { filled, type Words } from '../http/endpoints/paths.ts'
import { fillRepositories, headersFor, privacies, type Tokens } from '../http/status-scene.ts'
import { noon, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { withRoutes } from '../support/routes.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { server, routes } = await withRoutes(() =>
  createServer({ ...testContext(db), rates: unlimited }),
)
const call = caller(server)
const tokens: Tokens = {}
/** The rows before any of these calls. */
let before: Record<string, string>

// Repositories 1 to 4, with all their records, belong to the member; the other user administers
// repository 99. There is no repository 5.
beforeAll(async () => {
  const member = await make.user('member')
  const other = await make.user('other')
  Object.assign(tokens, { member: member.token, other: other.token })
  const repositories = []
  for (const [index, hidden] of privacies.entries()) {
    const repository = await make.repository({ name: `r${index + 1}`, private: hidden.repository })
    await make.permission(member, repository, 'admin')
    repositories.push(repository)
  }
  await fillRepositories(db, repositories)
  // A finished build can be restarted by authorized users: V2.1 refuses others with 400, like any
  // wrong call.
  for (const table of ['builds', 'jobs'] as const) {
    await db.updateTable(table).set({ state: 'passed', finished_at: noon }).execute()
  }
  const acme = await make.organization('acme')
  await make.membership(member, acme, 'admin')
  const theirs = await make.repository({
    owner_id: other.id,
    owner_name: 'other',
    name: 'own',
    id: 99,
  })
  await make.permission(other, theirs, 'admin')
  const own = await make.organization('own')
  await db.updateTable('organizations').set({ id: 99 }).where('id', '=', own.id).execute()
  await make.membership(other, { ...own, id: 99 }, 'admin')
  before = await contents()
})

/** The rows of each table, without the times of the last use of tokens. */
async function contents(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1
  `.execute(db)
  const queries = rows.map(
    ({ name }) => sql`select ${name} as name,
      md5(coalesce(string_agg((to_jsonb(each) - 'last_used_at' - 'last_activity_at')::text, ' ' order by (to_jsonb(each) - 'last_used_at' - 'last_activity_at')::text), '')) as digest
      from ${sql.table(name)} as each`,
  )
  const found = await sql<{
    name: string
    digest: string
  }>`${sql.join(queries, sql` union all `)}`.execute(db)
  return Object.fromEntries(found.rows.map(({ name, digest }) => [name, digest]))
}

const refusals = generations.flatMap((generation) =>
  rowsOf(generation)
    .filter(
      ({ asked, who, expected }) => who === 'other' && expected >= 400 && !asked.startsWith('GET'),
    )
    .map((row) => ({ ...row, generation })),
)

describe('cross-user access by id', () => {
  test.each(refusals)(
    'in $generation $asked changes nothing',
    async ({ asked, generation, expected }) => {
      const headers = headersFor(tokens, 'other', headersOf[generation])
      expect((await call(asked, headers)).statusCode).toBe(expected)
      expect(await contents()).toEqual(before)
    },
  )
})

/**
 * Path parameters that identify no record of a single user: a name, or something that everyone has.
 */
const names = [
  ...['provider', 'setting', 'preference', 'branch', 'beta_feature', 'resource', 'action'],
  'preview',
]
const parents = ['repository', 'owner', 'name', 'user', 'organization', 'id']
const queried = ['env_var', 'hook']

function hasChild({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  const ids = path.match(/(?<=:)\w+/g)?.filter((name) => !names.includes(name)) ?? []
  const below = ids.filter((name) => !parents.includes(name))
  return method !== 'GET' && below.some((name) => ids.length > 1 || queried.includes(name))
}

/** The parameters of the call; the query can name the caller's parent as well. */
const given = {
  v2: '?repository_id=99&env_var[name]=TAKEN&hook[id]=99&hook[active]=false',
  v3: '?env_var.name=TAKEN&account_env_var.name=TAKEN',
  page: '',
}

/** A call of a write below a parent, with the caller's own parent and a child of the member's. */
function callOfChild({ generation, method, path }: Endpoint): string {
  const own: Words = {
    ...{ provider: 'codehost', owner: 'other', name: 'own', organization: '99', user: '2' },
    repository: path.includes(':provider') ? 'other%2Fown' : '99',
    env_var: variableOf(1),
    account_env_var: path.startsWith('/org') ? organizationsVariable : usersVariable,
  }
  return `${method} ${filled(path, own)}${given[generation]}`
}

describe("a child of another user's record under a parent of one's own", () => {
  const children = endpointsOf(...generations)
    .filter(hasChild)
    .map((endpoint) => [endpoint.name, endpoint] as const)

  test('every write with a child in its path is in the table', () => {
    const writes = routes.filter(hasChild).map(({ method, path }) => `${method} ${path}`)
    expect(children.map(([name]) => name).toSorted()).toEqual(writes.toSorted())
  })

  test.each(children)('%s changes nothing', async (_name, endpoint) => {
    const headers = headersFor(tokens, 'other', headersOf[endpoint.generation])
    expect([403, 404]).toContain((await call(callOfChild(endpoint), headers)).statusCode)
    expect(await contents()).toEqual(before)
  })
})
