import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { SetupError } from '../../domain/errors.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { migrate } from '../../store/migrate.ts'
import { migrations } from '../../store/migrations/index.ts'
import { closeMasterKey, masterKeyPath } from '../../store/secrets/master-key.ts'
import { openDatabase } from '../../store/sql/connection.ts'
import { endWhenLost } from '../../store/sql/stalled-connections.ts'
import type { Database } from '../../store/tables.ts'
import { databaseServer, makeWritable } from './database-server.ts'
import { onDiskWithRoom } from './full-disk.ts'
import { bindKey, givenSealer, openSealer } from './open-sealer.ts'

export interface Store {
  db: Database
  /** Settings for connecting to the same database, for parts that open their own connections. */
  connection: pg.PoolConfig
  sealer: Sealer
  /** The names of the migrations that were run on opening. */
  migrated: string[]
  /** Resolves when the embedded server has died for good. */
  lost: Promise<SetupError>
  close(): Promise<void>
}

/** Opens the database, embedded or from DATABASE_URL, migrates it, and reads the master key. */
export function openStore(config: Config, log: Logger): Promise<Store> {
  return onDiskWithRoom(config, () => open(config, log))
}

async function open(config: Config, log: Logger): Promise<Store> {
  await makeWritable(config.dataDir)
  if (config.masterKey === undefined && (await closeMasterKey(config.dataDir))) {
    log.warn({ file: masterKeyPath(config.dataDir) }, keyWasOpen)
  }
  const given = await givenSealer(config)
  const server = await databaseServer(config, log)
  const connection = { ...server.connection, onConnect: endWhenLost(server.connection) }
  let isOpen = false
  const { db, close: closePool } = openDatabase(connection, (error) => {
    // Before that, opening fails with the reason.
    if (isOpen) log.warn({ err: error }, 'a database connection broke')
  })
  async function close(): Promise<void> {
    await closePool()
    await server.stop()
  }
  try {
    const sealer = await openSealer(db, config, given)
    const migrated = await migrate(db, migrations)
    await bindKey(db, config, sealer)
    isOpen = true
    return { db, sealer, migrated, connection, lost: server.lost, close }
  } catch (error) {
    await close()
    throw error
  }
}

const keyWasOpen =
  'other users of this machine could read the master key: its file has mode 600 now; if one of ' +
  'them may have read it, replace the key (`build-service rotate-keys --help`)'
