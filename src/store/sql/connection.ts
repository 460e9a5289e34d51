import { Kysely } from 'kysely'
import pg from 'pg'
import { SetupError } from '../../domain/errors.ts'
import type { Database, Tables } from '../tables.ts'
import { createClient } from './client.ts'
import { PreparingClient } from './prepared-statements.ts'
import { dialectOf } from './transaction.ts'

const int8 = 20

/** Ids stay below 2^53, so that a bigint can be a plain number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format ?? 'text')) as never,
}

export interface OpenDatabase {
  db: Database
  pool: pg.Pool
  close(): Promise<void>
}

// A server that does not respond must not hold up callers forever; a machine that disappears silently is
// noticed by the probes of an idle connection.
const connectionTimeoutMillis = 30_000
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 }

/** Opens a pool of connections; `onError` is called for connections that break while idle. */
export function openDatabase(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
  max = 10,
): OpenDatabase {
  const options = '-c timezone=UTC'
  const pool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client: PreparingClient,
    pipeline: true,
    max,
    // Work that runs every few seconds would otherwise open new connections each time.
    idleTimeoutMillis: 60_000,
    types,
    options,
    connectionTimeoutMillis,
  })
  // Without listeners, a restart of the server would end this process. The pool listens only on its idle
  // connections; on other connections, the current query fails.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: dialectOf(pool) })
  return { db, pool, close: () => db.destroy() }
}

/** Throws a SetupError with the remedy when the server cannot be used. */
export async function checkConnection(connection: pg.PoolConfig): Promise<void> {
  const client = createClient({ ...connection, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    const version = rows[0]?.version ?? 0
    if (version < 150_000) {
      throw new Error(`it is version ${Math.floor(version / 10_000)}, and 15 or later is needed`)
    }
  } catch (error) {
    throw new SetupError(
      `the database of DATABASE_URL cannot be used: ${reasonOf(error)}. ` +
        'Check that the server runs and that address, user and password are correct, ' +
        'or unset DATABASE_URL to use the embedded one.',
      { cause: error },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Some connection errors are an AggregateError with an empty message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
