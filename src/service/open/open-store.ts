import { access, constants, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { checkConnection, openDatabase } from '../../store/connection.ts'
import { endWhenLost } from '../../store/lost-answers.ts'
import { embeddedFolder } from '../../store/embedded.ts'
import { keepEmbedded, type KeptServer } from '../../store/keep-embedded.ts'
import { migrate } from '../../store/migrate.ts'
import { migrations } from '../../store/migrations/index.ts'
import type { Database } from '../../store/tables.ts'
import { bindKey, givenSealer, openSealer } from './open-sealer.ts'

export interface Store {
  db: Database
  /** Connection to the same database, for parts that open connections of their own. */
  connection: pg.PoolConfig
  sealer: Sealer
  /** The names of the migrations that were run on opening. */
  migrated: string[]
  /** Resolves when the embedded server has died for good. */
  lost: Promise<SetupError>
  close(): Promise<void>
}

/** Opens the database, embedded or of DATABASE_URL, migrates it, and reads the master key. */
export async function openStore(config: Config, log: Logger): Promise<Store> {
  await makeWritable(config.dataDir)
  const given = await givenSealer(config)
  const server = await databaseServer(config, log)
  const connection = { ...server.connection, onConnect: endWhenLost(server.connection) }
  const { db, close: closePool } = openDatabase(connection, (error) => {
    log.warn({ err: error }, 'a database connection broke')
  })
  async function close(): Promise<void> {
    await closePool()
    await server.stop()
  }
  try {
    const sealer = await openSealer(db, config, given)
    const migrated = await migrate(db, migrations)
    await bindKey(db, config, sealer)
    return { db, sealer, migrated, connection, lost: server.lost, close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function makeWritable(folder: string): Promise<void> {
  try {
    await makeFolders(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new SetupError(
      `the folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}): ` +
        'set DATA_DIR to a folder that this user can write to, or change its owner',
      { cause: error },
    )
  }
}

/** One after the other: for a folder below /proc, Node tries again and again when it makes all at once. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    const parent = path.dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    await makeFolders(parent)
    await mkdir(folder)
  }
}

async function databaseServer({ databaseUrl, dataDir }: Config, log: Logger): Promise<KeptServer> {
  if (databaseUrl === undefined) {
    return keepEmbedded(embeddedFolder(dataDir), (reason) => {
      log.error({ reason }, 'the embedded PostgreSQL has ended, and is started again')
    })
  }
  const connection = { connectionString: databaseUrl }
  await checkConnection(connection)
  // The server of DATABASE_URL is its operator's to start again.
  return { connection, lost: new Promise(() => {}), stop: async () => {} }
}
