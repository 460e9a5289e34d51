import { access, constants, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type pg from 'pg'
import { type Config, readKey } from '../config/config.ts'
import { SetupError } from '../domain/errors.ts'
import { createSealer, type Sealer } from '../secrets/seal.ts'
import { checkConnection, openDatabase } from '../store/connection.ts'
import { keepEmbedded, type KeptServer } from '../store/keep-embedded.ts'
import { masterKeyFile } from '../store/master-key.ts'
import { migrate } from '../store/migrate.ts'
import { migrations } from '../store/migrations/index.ts'
import type { Database } from '../store/tables.ts'

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
  const server = await databaseServer(config, log)
  try {
    const sealer = createSealer(await masterKey(config))
    const { db, close } = openDatabase(server.connection, (error) => {
      log.warn({ err: error }, 'a database connection broke')
    })
    const migrated = await migrate(db, migrations)
    return {
      db,
      sealer,
      migrated,
      connection: server.connection,
      lost: server.lost,
      async close() {
        await close()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new SetupError(
      `the folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}): ` +
        'set DATA_DIR to a folder that this user can write to, or change its owner',
      { cause: error },
    )
  }
}

async function databaseServer({ databaseUrl, dataDir }: Config, log: Logger): Promise<KeptServer> {
  if (databaseUrl === undefined) {
    return keepEmbedded(path.join(dataDir, 'postgres'), (reason) => {
      log.error({ reason }, 'the embedded PostgreSQL has ended, and is started again')
    })
  }
  const connection = { connectionString: databaseUrl }
  await checkConnection(connection)
  // The server of DATABASE_URL is its operator's to start again.
  return { connection, lost: new Promise(() => {}), stop: async () => {} }
}

async function masterKey(config: Config): Promise<Buffer> {
  const written = config.masterKey ?? (await masterKeyFile(config.dataDir))
  const key = readKey(written)
  if (!key) {
    throw new SetupError(
      `the file ${path.join(config.dataDir, 'master.key')} does not hold a key of 32 bytes: ` +
        'restore it from a backup (without it nothing that was sealed can be opened)',
    )
  }
  return key
}
