import { sql } from 'kysely'
import { SetupError } from '../domain/errors.ts'
import type { Database } from './tables.ts'

export interface Migration {
  name: string
  /** Runs inside a transaction of its own. */
  up(db: Database): Promise<void>
}

// Any fixed number: all processes that migrate the same database must take the same lock.
const lockKey = 7_230_911

/**
 * Brings the schema up to date and returns the names of the migrations that were run. Several processes may call it
 * at once: the first does the work, the others wait and have nothing left to do.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockKey})`.execute(connection)
    try {
      return await runPending(connection, migrations)
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(connection)
    }
  })
}

async function runPending(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  await sql`
    create table if not exists migrations (
      name text primary key, run_at timestamptz not null default now()
    )
  `.execute(db)
  const done = await sql<{ name: string }>`select name from migrations`.execute(db)
  const names = new Set(done.rows.map(({ name }) => name))
  refuseNewerSchema(names, migrations)

  const pending = migrations.filter(({ name }) => !names.has(name))
  for (const migration of pending) {
    await db.transaction().execute(async (tx) => {
      await migration.up(tx)
      await sql`insert into migrations (name) values (${migration.name})`.execute(tx)
    })
  }
  return pending.map(({ name }) => name)
}

/** A database that a later version has migrated must not be written to by an earlier one. */
function refuseNewerSchema(done: Set<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...done].filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new SetupError(
    `the database was migrated by a later version of build-service (${unknown.join(', ')}): ` +
      'install that version, or restore a backup made before it',
  )
}
