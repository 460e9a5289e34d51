import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { checkConnection } from '../../src/store/sql/connection.ts'
import type { Workplace } from './workplace.ts'

/** A PostgreSQL server on which candidate and anchor have a database each. */
export interface Databases {
  /** Creates an empty database and returns its address. */
  create(name: string): Promise<string>
  close(): Promise<void>
}

/** The server of DATABASE_URL, else an embedded one in the workplace. */
export async function openDatabases(
  place: Workplace,
  { DATABASE_URL }: NodeJS.ProcessEnv,
): Promise<Databases> {
  return DATABASE_URL ? given(DATABASE_URL) : embedded(place)
}

async function embedded(place: Workplace): Promise<Databases> {
  const { connection, stop } = await startEmbedded(place.folder('postgres'))
  return {
    async create(name) {
      await run(urlOf(connection), `create database ${name}`)
      return urlOf(connection, name)
    },
    async close() {
      await endOthers(urlOf(connection))
      await stop()
    },
  }
}

/** The address of a database of an embedded server, else of the one that the service keeps there. */
export function urlOf(connection: pg.PoolConfig, name = connection.database): string {
  const { host = '', user = '', password } = connection
  return `postgresql:///${name}?${new URLSearchParams({ host, user, password: String(password) })}`
}

/** Ends the connections of processes that were killed: the server stops only when there are none. */
async function endOthers(url: string): Promise<void> {
  const others = `from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  while ((await run(url, `select pg_terminate_backend(pid) ${others}`)).length > 0) {
    await pause(20)
  }
}

/** A server that is shared: creates databases with unused names, and drops them in the end. */
async function given(server: string): Promise<Databases> {
  await checkConnection({ connectionString: server })
  const prefix = `bench_${randomBytes(4).toString('hex')}`
  const made: string[] = []
  return {
    async create(name) {
      const database = `${prefix}_${name}`
      await run(server, `create database ${database}`)
      made.push(database)
      const url = new URL(server)
      url.pathname = `/${database}`
      return url.href
    },
    async close() {
      for (const database of made) await run(server, `drop database ${database} with (force)`)
    },
  }
}

/** Runs one statement on a connection of its own. */
export async function run<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}
