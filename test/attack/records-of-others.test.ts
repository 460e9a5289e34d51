// Whoever is logged in can name any record by its id, in a path of their own as well.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { caller } from '../http/door.ts'
import { headersOf, rowsOf } from '../http/status-rows.ts'
import {
  fillRepositories,
  headersFor,
  organizationsVariable,
  privacies,
  type Tokens,
  usersVariable,
  variableOf,
} from '../http/status-scene.ts'
import { noon, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type Route, withRoutes } from '../support/routes.ts'

const { db } = await ownDatabase()
const make = factories(db)
// More calls come from one address here than are allowed to one.
const rates = { count() {} }
const { server, routes } = await withRoutes(() => createServer({ ...testContext(db), rates }))
const call = caller(server)
const tokens: Tokens = {}
/** What there was before any of these calls. */
let before: Record<string, string>

// Repositories 1 to 4, and all of theirs, are the member's; the other one administers repository 99. There is no 5.
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
  // What has finished can be restarted by those who may: V2.1 refuses others with 400, like any wrong call.
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

/** What each table has, but for the times when a token was used. */
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

const refusals = ['v2', 'v3', 'page'].flatMap((generation) =>
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
      const headers = headersFor(tokens, 'other', headersOf[generation] ?? {})
      expect((await call(asked, headers)).statusCode).toBe(expected)
      expect(await contents()).toEqual(before)
    },
  )
})

const variable = variableOf(1)
const ofOwn = '?repository_id=99&env_var[name]=TAKEN'

/** A call of each write below a parent, with the caller's own parent and a child of the member's. */
const children: Readonly<Record<string, string>> = {
  'PATCH /repo/:repository/env_var/:env_var': `/repo/99/env_var/${variable}?env_var.name=TAKEN`,
  'DELETE /repo/:repository/env_var/:env_var': `/repo/99/env_var/${variable}`,
  'PATCH /repo/:provider/:repository/env_var/:env_var': `/repo/codehost/99/env_var/${variable}?env_var.name=TAKEN`,
  'DELETE /repo/:provider/:repository/env_var/:env_var': `/repo/codehost/other%2Fown/env_var/${variable}`,
  'POST /repo/:repository/request/:request/approve': '/repo/99/request/1/approve',
  'POST /repo/:provider/:repository/request/:request/approve':
    '/repo/codehost/other%2Fown/request/1/approve',
  'POST /:owner/:name/builds/:build/approve': '/other/own/builds/1/approve',
  'PATCH /org/:organization/account_env_var/:account_env_var': `/org/99/account_env_var/${organizationsVariable}?account_env_var.name=TAKEN`,
  'DELETE /org/:organization/account_env_var/:account_env_var': `/org/99/account_env_var/${organizationsVariable}`,
  'PATCH /user/:user/account_env_var/:account_env_var': `/user/2/account_env_var/${usersVariable}?account_env_var.name=TAKEN`,
  'DELETE /user/:user/account_env_var/:account_env_var': `/user/2/account_env_var/${usersVariable}`,
  // Those whose parent is named by the query or the body.
  'PATCH /settings/env_vars/:env_var': `/settings/env_vars/${variable}${ofOwn}`,
  'DELETE /settings/env_vars/:env_var': `/settings/env_vars/${variable}${ofOwn}`,
  'PATCH /repos/settings/env_vars/:env_var': `/repos/settings/env_vars/${variable}${ofOwn}`,
  'DELETE /repos/settings/env_vars/:env_var': `/repos/settings/env_vars/${variable}${ofOwn}`,
  'PUT /hooks/:hook': '/hooks/1?hook[id]=99&hook[active]=false',
}
/** What is named in a path without belonging to one alone: a name, or what everyone has. */
const names = [
  ...['provider', 'setting', 'preference', 'branch', 'beta_feature', 'resource', 'action'],
  'preview',
]
const parents = ['repository', 'owner', 'name', 'user', 'organization', 'id']
const queried = ['env_var', 'hook']

function hasChild({ method, path }: Route): boolean {
  const ids = path.match(/(?<=:)\w+/g)?.filter((name) => !names.includes(name)) ?? []
  const below = ids.filter((name) => !parents.includes(name))
  return method !== 'GET' && below.some((name) => ids.length > 1 || queried.includes(name))
}

describe('someone else’s child below one’s own parent', () => {
  test('every such write is in the table', () => {
    const writes = routes.filter(hasChild).map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(children).toSorted()).toEqual(writes.toSorted())
  })

  test.each(Object.entries(children))('%s changes nothing', async (endpoint, path) => {
    const generation = routes.find(
      (route) => `${route.method} ${route.path}` === endpoint,
    )?.generation
    const headers = headersFor(tokens, 'other', headersOf[generation ?? ''] ?? {})
    const [method] = endpoint.split(' ', 1)
    expect([403, 404]).toContain((await call(`${method} ${path}`, headers)).statusCode)
    expect(await contents()).toEqual(before)
  })
})
