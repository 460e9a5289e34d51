import { sql } from 'kysely'
import { SetupError } from '../domain/errors.ts'
import type { Database } from './tables.ts'

export interface Migration {
  name: string
  /** Runs inside a transaction of its own. */
  up(db: Database): Promise<void>
  /** Takes over a database whose record has other migration names, in a transaction of its own. */
  adopt?(db: Database, done: ReadonlySet<string>): Promise<void>
}

// Any fixed number: all processes that migrate the same database must take the same lock.
export const migrationLock = 7_230_911

/**
 * Brings the schema up to date and returns the names of the migrations that were run. Several processes
 * may call it at once: the first does the work; the others wait and have nothing left to do.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection)
    try {
      return await runPending(connection, migrations)
    } finally {
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection)
    }
  })
}

/** Creates the record of the migrations that were run. */
export async function createRecord(db: Database): Promise<void> {
  await sql`
    create table if not exists migrations (
      name text primary key, run_at timestamptz not null default now()
    )
  `.execute(db)
}

/** Runs a migration in the open transaction, and records it. */
export async function runMigration(tx: Database, { name, up }: Migration): Promise<void> {
  await up(tx)
  await sql`insert into migrations (name) values (${name})`.execute(tx)
}

async function runPending(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  await createRecord(db)
  let names = await recordedNames(db)
  if (unknownAmong(names, migrations).length > 0) {
    await adoptDatabase(db, names, migrations)
    names = await recordedNames(db)
  }
  refuseNewerSchema(names, migrations)

  const pending = migrations.filter(({ name }) => !names.has(name))
  for (const migration of pending) {
    await db.transaction().execute((tx) => runMigration(tx, migration))
  }
  return pending.map(({ name }) => name)
}

async function recordedNames(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function adoptDatabase(
  db: Database,
  names: ReadonlySet<string>,
  migrations: readonly Migration[],
): Promise<void> {
  for (const { adopt } of migrations) {
    if (adopt) await db.transaction().execute((tx) => adopt(tx, names))
  }
}

function unknownAmong(names: ReadonlySet<string>, migrations: readonly Migration[]): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return [...names].filter((name) => !known.has(name))
}

/** An earlier version must not write to a database that a later version has migrated. */
function refuseNewerSchema(done: Set<string>, migrations: readonly Migration[]): void {
  const unknown = unknownAmong(done, migrations)
  if (unknown.length === 0) return
  throw new SetupError(
    `the database was migrated by a later version of build-service (${unknown.join(', ')}): ` +
      'install that version, or restore a backup made before it',
  )
}
