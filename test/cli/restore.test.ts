import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { openBackup } from '../../src/store/backup/read-backup.ts'
import { restoreBackup } from '../../src/store/backup/restore-backup.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { putUser } from '../../src/store/people/users.ts'
import { command, scratchFolder } from '../support/command.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts'
import { backUp, fileOf, on, someKey } from './backups.ts'

let source: TestDatabase
let whole: Buffer
let text: string

beforeAll(async () => {
  source = await freshDatabase()
  for (const id of [1, 2, 3]) {
    await putUser(source.db, { provider: 'codehost', codehost_id: id, login: `user-${id}` })
  }
  await source.db.deleteFrom('users').where('login', '=', 'user-3').execute()
  whole = await backUp(source)
  text = gunzipSync(whole).toString()
})

const changed = (from: string | RegExp, to: string) => () => gzipSync(text.replace(from, to))

function flipped(content: Buffer): Buffer {
  const copy = Buffer.from(content)
  const middle = copy.length >> 1
  copy[middle] = (copy[middle] ?? 0) ^ 1
  return copy
}

/** A backup changed by an attacker who knows the format. */
function forged(from: string | RegExp, to: string): Buffer {
  const lines = text.replace(/sha256 .*\n$/, '').replace(from, to)
  const digest = createHash('sha256').update(lines).digest('hex')
  return gzipSync(`${lines}sha256 ${digest}\n`)
}

async function tablesOf({ db }: TestDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1
  `.execute(db)
  return rows.map(({ name }) => name)
}

test.each<[what: string, content: () => Buffer | string, message: string]>([
  ['half of a backup', () => whole.subarray(0, whole.length / 2), 'is cut off'],
  ['a backup without its last byte', () => whole.subarray(0, -1), 'is cut off'],
  ['a backup without its last line', changed(/sha256 .*\n$/, ''), 'is cut off'],
  ['a backup with a changed byte', () => flipped(whole), 'was changed or damaged'],
  ['a backup with a changed row', changed('user-1', 'user-9'), 'was changed or damaged'],
  [
    'a backup in a later format',
    changed('backup 1', 'backup 2'),
    'is a backup in the form 2, and this',
  ],
  ['a text', () => text, 'is not a backup of build-service'],
  ['another gzip file', () => gzipSync('hello\n'), 'is not a backup of build-service'],
])('restore refuses %s, and creates nothing', async (_what, content, message) => {
  const [file, DATA_DIR] = [fileOf(content()), scratchFolder()]
  const { code, stdout, stderr } = await command(['restore', file], { env: { DATA_DIR } })
  expect([code, stdout]).toEqual([78, ''])
  expect(stderr).toContain(`build-service: the file ${file} ${message}`)
  expect(stderr).toMatch(/^.*: .*\n$/)
  expect(readdirSync(DATA_DIR)).toEqual([])
})

test.each([
  ['/nowhere/backup.gz', 'cannot be read (ENOENT): name a backup'],
  ['/', 'cannot be read (EISDIR): name a backup'],
])('restore refuses a file that cannot be read: %s', async (file, message) => {
  const env = { DATA_DIR: scratchFolder() }
  const { code, stderr } = await command(['restore', file], { env })
  expect([code, stderr]).toEqual([78, expect.stringContaining(`the file ${file} ${message}`)])
})

test('restore refuses a database that is not empty, and leaves it unchanged', async () => {
  const target = await emptyDatabase()
  await sql`create table notes (text text)`.execute(target.db)
  const { code, stdout, stderr } = await on(target, ['restore', fileOf(whole)])
  expect([code, stdout]).toEqual([78, ''])
  expect(stderr).toContain(
    'the database of DATABASE_URL is not empty, and a backup is restored into',
  )
  expect(await tablesOf(target)).toEqual(['notes'])
})

test('restore refuses a backup of a later version', async () => {
  const file = fileOf(forged('"migrations":[', '"migrations":["999-later",'))
  const target = await emptyDatabase()
  const { code, stderr } = await on(target, ['restore', file])
  expect([code, stderr]).toEqual([
    78,
    expect.stringMatching(
      /was made by a later version of build-service, .+ \(999-later\): install/,
    ),
  ])
  expect(await tablesOf(target)).toEqual([])
})

test('restore leaves an empty database if it fails, and new records get unused ids', async () => {
  const target = await emptyDatabase()
  // Its checksum is correct, but a row is invalid.
  const file = fileOf(forged(/^2\t/m, 'two\t'))
  expect(await on(target, ['restore', file])).toMatchObject({ code: 70, stdout: '' })
  expect(await tablesOf(target)).toEqual([])

  expect(await on(target, ['restore', fileOf(whole)])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^restored \d+ tables with \d+ rows from .+, made at \S+Z by build-service \S+\n$/,
    ),
  })
  const user = await putUser(target.db, { provider: 'codehost', codehost_id: 4, login: 'user-4' })
  expect(user.id).toBe(4)
})

test('restore migrates a backup of an earlier version, and leaves out foreign tables', async () => {
  const earlier = await emptyDatabase()
  await migrate(earlier.db, migrations)
  await sql`insert into users (codehost_id, login) values (7, 'octavia')`.execute(earlier.db)
  await sql`create table notes (text text)`.execute(earlier.db)
  await sql`insert into notes values ('hello')`.execute(earlier.db)
  const file = fileOf(await backUp(earlier))

  const target = await emptyDatabase()
  const { code, stdout } = await on(target, ['restore', file])
  expect([code, stdout.split('\n').slice(1, -1)]).toEqual([
    0,
    ['left out notes, which is not a table of build-service'],
  ])
  expect(await tablesOf(target)).toEqual(await tablesOf(source))
  const users = await target.db.selectFrom('users').select(['id', 'login']).execute()
  expect(users).toEqual([{ id: 1, login: 'octavia' }])

  // A column that a later version would have.
  const later = await emptyDatabase()
  const late = {
    name: '99.0.0',
    up: async (db: typeof later.db) => {
      await sql`alter table users add column shoe_size integer default 38`.execute(db)
    },
  }
  const client = new pg.Client(later.connection)
  await client.connect()
  const backup = await openBackup(file, new AbortController().signal)
  const restored = await restoreBackup(client, backup, {
    migrations: [...migrations, late],
    onProgress() {},
  })
  backup.close()
  await client.end()
  expect(restored).toMatchObject({ migrated: ['99.0.0'], skipped: ['notes'] })
  const { rows } = await sql`select login, shoe_size from users`.execute(later.db)
  expect(rows).toEqual([{ login: 'octavia', shoe_size: 38 }])
})

test('restore refuses a backup from before the first release, and suggests a remedy', async () => {
  const file = fileOf(forged('"migrations":["0.1.0"', '"migrations":["001-schema"'))
  const target = await emptyDatabase()
  const { code, stderr } = await on(target, ['restore', file])
  expect([code, stderr]).toEqual([
    78,
    expect.stringMatching(
      /was made by a version before 0\.1\.0: restore it with the version of commit [0-9a-f]{40}, then/,
    ),
  ])
  expect(await tablesOf(target)).toEqual([])
})

test('a service does not start on a restored database without its key', async () => {
  expect(await on(source, ['migrate'])).toMatchObject({ code: 0 })
  const [file, target] = [fileOf(await backUp(source)), await emptyDatabase()]
  expect(await on(target, ['restore', file], { MASTER_KEY: 'b'.repeat(64) })).toMatchObject({
    code: 78,
    stdout: '',
    stderr: expect.stringContaining(
      'sealed with a master key, and MASTER_KEY is a different key: set',
    ),
  })
  expect(await tablesOf(target)).toEqual([])
  expect(await on(target, ['restore', file], {})).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      'the master key is missing: before you start the service, copy',
    ),
  })
  expect(await on(target, ['start'], {})).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('sealed with a key, and this process has none: set MASTER_KEY'),
  })
  expect(await on(target, ['start'], { MASTER_KEY: 'b'.repeat(64) })).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('sealed with a key, and MASTER_KEY is a different key: set'),
  })
  expect(await on(target, ['deliveries'], { MASTER_KEY: someKey })).toMatchObject({ code: 0 })
})
