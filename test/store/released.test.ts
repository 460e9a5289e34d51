// Upgrades from every released schema, and from the commit before the first release. The dumps were
// made by pg_dump of databases of their time, with records.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { firstRelease } from '../../src/store/migrations/0.1.0.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { shapeOf } from '../../src/store/migrations/shape.ts'
import type { Database } from '../../src/store/tables.ts'
import { emptyDatabase } from '../support/database.ts'

const folder = path.join(import.meta.dirname, 'released')

/** A database as a version of that time had left it. */
async function releasedDatabase(name: string): Promise<Database> {
  const { db } = await emptyDatabase()
  await sql.raw(readFileSync(path.join(folder, `${name}.sql`), 'utf8')).execute(db)
  return db
}

/** How many rows each table has, without the record of migrations. */
async function rowsOf(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from public.%I', relname), false, true, '')))[1]::text::int as count
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not in ('migrations', 'installation_keys')
  `.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const recorded = async (db: Database) =>
  (await sql<{ name: string }>`select name from migrations order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

test('the schema matches the file', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, migrations)
  const shape = await shapeOf(db, 'public')
  await expect(`${shape.join('\n')}\n`).toMatchFileSnapshot(path.join(folder, 'schema.shape'))
})

test.each([
  ['before-0.1.0', ['0.2.0']],
  ['0.1.0', ['0.2.0']],
])('a database of %s keeps its records', async (name, ran) => {
  const db = await releasedDatabase(name)
  const before = await rowsOf(db)
  expect(before['repositories']).toBe(4)
  expect(await migrate(db, migrations)).toEqual(ran)
  expect(await rowsOf(db)).toEqual({
    ...before,
    deleted_builds: 0,
    deleted_objects: 0,
    ending_runs: 0,
    job_runs: 0,
    log_objects: 0,
  })
  expect(await recorded(db)).toEqual(['0.1.0', '0.2.0'])
  const { db: made } = await emptyDatabase()
  await migrate(made, migrations)
  expect(await shapeOf(db, 'public')).toEqual(await shapeOf(made, 'public'))
})

test.each(['048-names-of-contexts', '001-schema'])(
  'a database without %s is refused, with the commit to start once',
  async (missing) => {
    const db = await releasedDatabase('before-0.1.0')
    await sql`delete from migrations where name = ${missing}`.execute(db)
    const before = await recorded(db)
    await expect(migrate(db, migrations)).rejects.toThrow(
      /made by a version before 0\.1\.0 that is too old .*: start the version of commit [0-9a-f]{40} once, then/,
    )
    expect(await recorded(db)).toEqual(before)
  },
)

test.each([
  ['lacks a column', 'alter table builds drop column fast_finish', /missing: builds\.fast_finish/],
  [
    'has an additional column',
    'alter table jobs add column notes text',
    /not expected: jobs\.notes text/,
  ],
  [
    'lacks a constraint',
    'alter table jobs drop constraint jobs_state_check',
    /missing: jobs: jobs_state/,
  ],
  ['lacks an index', 'drop index builds_commit_id_idx', /missing: builds: .*builds_commit_id_idx/],
])('a database that %s is refused, and stays unchanged', async (_what, change, message) => {
  const db = await releasedDatabase('before-0.1.0')
  await sql.raw(change).execute(db)
  const before = await shapeOf(db, 'public')
  await expect(migrate(db, migrations)).rejects.toThrow(message)
  expect(await shapeOf(db, 'public')).toEqual(before)
  expect(await recorded(db)).toHaveLength(44)
})

test('a table of the operator is left alone', async () => {
  const db = await releasedDatabase('before-0.1.0')
  await sql`create table notes (text text)`.execute(db)
  expect(await migrate(db, [firstRelease])).toEqual([])
  expect(await rowsOf(db)).toMatchObject({ notes: 0 })
})
