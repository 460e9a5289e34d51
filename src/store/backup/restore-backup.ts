import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { SetupError } from '../../domain/errors.ts'
import { createRecord, type Migration, migrationLock, runMigration } from '../migrate.ts'
import type { Database } from '../tables.ts'
import { copyingDatabase } from './connection.ts'
import { copied, type BackupHeader, type Progress } from './format.ts'
import { isEmpty, ownTables, type OwnTable } from './own-tables.ts'
import type { OpenBackup } from './read-backup.ts'

export interface Restored {
  tables: number
  rows: number
  /** Tables of the backup that do not belong to the service. */
  skipped: readonly string[]
  /** The migrations that were run after those of the backup. */
  migrated: readonly string[]
}

interface Options {
  migrations: readonly Migration[]
  onProgress(progress: Progress): void
}

/** The names of migrations that the backup has and this version does not know. */
export function unknownMigrations(
  { migrations: done }: BackupHeader,
  migrations: readonly Migration[],
): string[] {
  return done.filter((name) => !migrations.some((known) => known.name === name))
}

/**
 * Restores a backup into an empty database, in one transaction on a separate connection: the schema
 * of its migrations, its rows, then the later migrations. Undefined if the database is not empty.
 */
export async function restoreBackup(
  client: pg.Client,
  backup: OpenBackup,
  { migrations, onProgress }: Options,
): Promise<Restored | undefined> {
  const db = await copyingDatabase(client)
  // A service that starts in the meantime waits, and finds everything restored.
  await sql`select pg_advisory_lock(${migrationLock})`.execute(db)
  if (!(await isEmpty(db))) return
  await sql`begin`.execute(db)
  const { header } = backup
  await createRecord(db)
  const isDone = ({ name }: Migration) => header.migrations.includes(name)
  for (const migration of migrations.filter(isDone)) await runMigration(db, migration)

  const copies = await copyTables(client, db, backup, onProgress)
  await setSequences(db, header)
  const later = migrations.filter((migration) => !isDone(migration))
  for (const migration of later) await runMigration(db, migration)
  // Otherwise the first queries would be planned as for empty tables.
  await sql.raw(`analyze ${listed(await ownTables(db))}`).execute(db)
  await sql`commit`.execute(db)
  return { ...copies, migrated: later.map(({ name }) => name) }
}

const listed = (tables: readonly OwnTable[]) => tables.map(({ name }) => name).join(', ')

async function copyTables(
  client: pg.Client,
  db: Database,
  { header, rows, footer }: OpenBackup,
  onProgress: Options['onProgress'],
): Promise<Omit<Restored, 'migrated'>> {
  const created = await ownTables(db)
  // Migrations insert rows as well.
  await sql.raw(`truncate ${listed(created)}`).execute(db)
  const skipped: string[] = []
  const progress: Progress = { tables: 0, of: header.tables.length, rows: 0, bytes: 0 }
  async function* noted(): AsyncGenerator<Buffer> {
    for await (const chunk of rows()) {
      yield chunk
      progress.bytes += chunk.length
      onProgress(progress)
    }
  }
  for (const table of header.tables) {
    const own = created.find(({ name }) => name === table.name)
    if (own) {
      refuseOtherColumns(table, own)
      const copy = client.query(from(`copy ${copied(table)} from stdin`))
      await pipeline(noted(), copy)
      progress.rows += copy.rowCount
    } else {
      skipped.push(table.name)
      for await (const _ of noted()) continue
    }
    progress.tables += 1
    onProgress(progress)
  }
  await footer()
  return { tables: progress.tables - skipped.length, rows: progress.rows, skipped }
}

/** The backup's migrations create the columns of each table, unless someone else changed the tables too. */
function refuseOtherColumns({ name, columns }: OwnTable, own: OwnTable): void {
  const others = columns.filter((column) => !own.columns.includes(column))
  if (others.length === 0) return
  throw new SetupError(
    `the table ${name} of the backup has columns that are not those of build-service (${others.join(', ')}): ` +
      'remove them where the backup was made, and make another one',
  )
}

async function setSequences(db: Database, { sequences }: BackupHeader): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'S'
  `.execute(db)
  for (const { name } of rows) {
    const last = sequences[name]
    if (last !== undefined) await sql`select setval(${name}::regclass, ${last}::bigint)`.execute(db)
  }
}
