import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { migrationLock } from '../migrate.ts'
import { knownFingerprint } from '../secrets/key-fingerprint.ts'
import type { Database } from '../tables.ts'
import { copyingDatabase } from './connection.ts'
import {
  type BackupFooter,
  type BackupHeader,
  checksum,
  copied,
  endOfRows,
  format,
  type Progress,
  title,
} from './format.ts'
import { ownSequences, ownTables } from './own-tables.ts'

/** The state of the database at this moment, regardless of later writes. */
export interface Snapshot {
  header: BackupHeader
  /** The whole backup, before compression. It can be read once. */
  text: AsyncGenerator<Buffer>
  progress: Progress
}

interface Options {
  /** Version of the program. */
  version: string
  now: Date
  onProgress(progress: Progress): void
}

/** Takes a snapshot on a connection of its own. Undefined when no service has used the database. */
export async function takeSnapshot(
  client: pg.Client,
  { version, now, onProgress }: Options,
): Promise<Snapshot | undefined> {
  const db = await copyingDatabase(client)
  const found = await beginSnapshot(db)
  if (!found) return
  const header: BackupHeader = { version, created_at: now.toISOString(), ...found }
  const progress: Progress = { tables: 0, of: found.tables.length, rows: 0, bytes: 0 }
  const text = withChecksum(written(client, header, progress, onProgress))
  return { header, text, progress }
}

/**
 * Starts a snapshot with either nothing or all of a migration. From then on a migration waits until
 * the tables are copied; all other work continues.
 */
async function beginSnapshot(
  db: Database,
): Promise<Omit<BackupHeader, 'version' | 'created_at'> | undefined> {
  await sql`select pg_advisory_lock_shared(${migrationLock})`.execute(db)
  await sql`begin isolation level repeatable read read only`.execute(db)
  const tables = await ownTables(db)
  if (!tables.some(({ name }) => name === 'migrations')) return
  const names = tables.map(({ name }) => name).join(', ')
  await sql.raw(`lock table ${names} in access share mode`).execute(db)
  const { rows } = await sql<{ name: string }>`
    select name from migrations order by name
  `.execute(db)
  const header = {
    migrations: rows.map(({ name }) => name),
    key_fingerprint: (await knownFingerprint(db)) ?? null,
    tables,
    // Sequences are not part of a snapshot: read after it, they do not lag behind its rows.
    sequences: await ownSequences(db),
  }
  await sql`select pg_advisory_unlock_shared(${migrationLock})`.execute(db)
  return header
}

async function* written(
  client: pg.Client,
  header: BackupHeader,
  progress: Progress,
  onProgress: Options['onProgress'],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${title}${format}\n${JSON.stringify(header)}\n`)
  const footer = { rows: [] as number[] } satisfies BackupFooter
  for (const table of header.tables) {
    const rows = client.query(to(`copy ${copied(table)} to stdout`))
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      yield chunk
      progress.bytes += chunk.length
      onProgress(progress)
    }
    yield Buffer.from(endOfRows)
    footer.rows.push(rows.rowCount)
    progress.rows += rows.rowCount
    progress.tables += 1
    onProgress(progress)
  }
  yield Buffer.from(`${JSON.stringify(footer)}\n`)
}

async function* withChecksum(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.from(`${checksum}${hash.digest('hex')}\n`)
}

/** How many logs are outside of the database, by their store; a backup does not contain them. */
export async function logsOutside(client: pg.Client): Promise<{ place: string; count: number }[]> {
  const table = await client.query<{ name: string | null }>(
    `select to_regclass('log_objects')::text as name`,
  )
  if (!table.rows[0]?.name) return []
  const { rows } = await client.query<{ place: string; count: number }>(`
    select place, count(*)::int as count from log_objects
    where stored_at is not null group by place order by place
  `)
  return rows
}
