import { CompiledQuery, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  repositoriesOfMember,
  repositoriesOfOwner,
  type RepositoryPageFilter,
} from '../../src/store/repositories/repository-pages.ts'
import type { Page } from '../../src/store/sql/page.ts'
import { ownDatabase } from '../support/database.ts'
import { watchStatements } from '../support/statements.ts'

const { db } = await ownDatabase()

const filter: RepositoryPageFilter = {
  active: undefined,
  private: undefined,
  managed_by_installation: undefined,
  active_on_org: undefined,
  starred: undefined,
  name: [],
  slug: [],
}
const viewer = { userId: 1, ownId: 1, closed: false }
const owner = { owner_type: 'User', owner_id: 1 } as const

beforeAll(async () => {
  await sql`insert into users (id, login) values (1, 'octavia'), (2, 'other')`.execute(db)
  await sql`
    insert into repositories (id, codehost_id, owner_id, owner_type, owner_name, name,
      default_branch_last_build_id, last_build_id)
    select n, n, 1 + n % 2, 'User', 'octavia', 'repository-' || n,
      case when n % 3 > 0 then n end, case when n % 3 > 0 then n end
    from generate_series(1, 10000) n`.execute(db)
  await sql`
    insert into permissions (user_id, repository_id) select 1, n from generate_series(1, 10000) n
  `.execute(db)
  await sql`analyze`.execute(db)
})

/** The plan with which PostgreSQL reads a page in this order. */
async function planOf(list: 'member' | 'owner', key: string, descending: boolean): Promise<string> {
  const page: Page = { limit: 100, offset: 0, sort: [{ key, descending }], counted: false }
  const statements = watchStatements()
  await (list === 'member'
    ? repositoriesOfMember(db, viewer, filter, page)
    : repositoriesOfOwner(db, owner, viewer, filter, page))
  const [first] = statements
  const explained = CompiledQuery.raw(`explain ${first?.text}`, [...(first?.values ?? [])])
  const { rows } = await db.executeQuery<Record<'QUERY PLAN', string>>(explained)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test.each([
  ['member', 'default_branch.last_build', true],
  ['member', 'default_branch.last_build', false],
  ['owner', 'default_branch.last_build', true],
  ['owner', 'default_branch.last_build', false],
  ['member', 'current_build', true],
] as const)(
  'the list of a %s by %s, descending %j, is read from its index',
  async (list, key, descending) => {
    const plan = await planOf(list, key, descending)
    expect(plan).toMatch(/Index (?:Only )?Scan.* on repositories/)
    expect(plan).not.toContain('Seq Scan on repositories')
    expect(plan).not.toContain('Sort')
  },
)

test('a repository without a build is last in both directions', async () => {
  const ids = async (descending: boolean, offset: number) => {
    const sort = [{ key: 'default_branch.last_build', descending }]
    const page: Page = { limit: 2, offset, sort, counted: true }
    const { records, count } = await repositoriesOfMember(db, viewer, filter, page)
    return [count, ...records.map(({ repository }) => repository.id)]
  }
  expect(await ids(false, 0)).toEqual([10_000, 1, 2])
  expect(await ids(false, 6666)).toEqual([10_000, 10_000, 3])
  expect(await ids(true, 0)).toEqual([10_000, 10_000, 9998])
  expect(await ids(true, 6666)).toEqual([10_000, 1, 9999])
})
