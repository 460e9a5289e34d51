import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import { afterAll, beforeEach, inject } from 'vitest'
import { openDatabase } from '../../src/store/connection.ts'
import type { Database } from '../../src/store/tables.ts'
import { onDatabase } from './cluster.ts'

/** A migrated database of the test file's own, and how to connect to it. Dropped in the end. */
export async function ownDatabase(): Promise<{ db: Database; connection: PoolConfig }> {
  const server = inject('server')
  const name = `test_${randomBytes(6).toString('hex')}`
  const main = openDatabase(server, () => {}, 1)
  await main.pool.query(`create database ${name} template ${inject('template')}`)
  const own = openDatabase(onDatabase(server, name), () => {})

  afterAll(async () => {
    await own.close()
    await main.pool.query(`drop database ${name} with (force)`)
    await main.close()
  })
  return { db: own.db, connection: onDatabase(server, name) }
}

/** As `ownDatabase`, and emptied before each test. */
export async function testDatabase(): Promise<Database> {
  const { db } = await ownDatabase()
  beforeEach(() => empty(db))
  return db
}

async function empty(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'local_codehost') and tablename <> 'migrations'
  `.execute(db)
  const names = rows.map(({ name }) => name).join(', ')
  await sql.raw(`truncate ${names} restart identity cascade`).execute(db)
}
