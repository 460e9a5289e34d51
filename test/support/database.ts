import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolConfig } from 'pg'
import { afterAll, beforeEach, inject, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/store/sql/connection.ts'
import type { Database } from '../../src/store/tables.ts'
import { onDatabase } from './cluster.ts'

export interface TestDatabase {
  db: Database
  connection: PoolConfig
}

let ofWorker: Promise<TestDatabase> | undefined

/**
 * A migrated database without rows, and how to connect to it. A worker has one for all its files; it is
 * dropped with the server, or at the end of the run.
 */
export async function ownDatabase(): Promise<TestDatabase> {
  if (ofWorker === undefined) {
    // Vitest can give two workers the same number where one part of the tests follows another.
    ofWorker = createDatabase(`${inject('template')}_${process.pid}`)
    return ofWorker
  }
  const database = await ofWorker
  await empty(database.db)
  return database
}

/** As `ownDatabase`, and emptied before each test. */
export async function testDatabase(): Promise<Database> {
  const { db } = await ownDatabase()
  beforeEach(() => empty(db))
  return db
}

/** For files that change the schema or how tables are stored: a database that no other file gets. */
export async function freshDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const database = await createDatabase(name)
  afterAll(async () => {
    await database.db.destroy()
    await onServer((pool) => pool.query(`drop database ${name} with (force)`))
  })
  return database
}

/** A database with nothing in it, not even a schema of ours; gone when the test ends. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const database = await createDatabase(name, 'template0')
  onTestFinished(async () => {
    await database.db.destroy()
    await onServer((pool) => pool.query(`drop database ${name} with (force)`))
  })
  return database
}

async function createDatabase(name: string, template = inject('template')): Promise<TestDatabase> {
  await onServer((pool) => pool.query(`create database ${name} template ${template}`))
  const connection = onDatabase(inject('server'), name)
  return { db: openDatabase(connection, () => {}).db, connection }
}

async function onServer<T>(act: (pool: Pool) => Promise<T>): Promise<T> {
  const { pool, close } = openDatabase(inject('server'), () => {}, 1)
  try {
    return await act(pool)
  } finally {
    await close()
  }
}

/**
 * As `truncate … restart identity`, at a tenth of its time: only tables with rows are touched, and
 * none of their files is made anew.
 */
async function empty(db: Database): Promise<void> {
  await sql.raw(emptyUsedTables).execute(db)
}

const emptyUsedTables = `
  do $$
  declare
    name text;
    used boolean;
  begin
    set local session_replication_role = replica;
    for name in
      select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('public', 'local_codehost', 'bullmq') and tablename not like '%migration%'
    loop
      execute format('select exists (select from %s)', name) into used;
      if used then execute format('delete from %s', name); end if;
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null;
  end $$`
