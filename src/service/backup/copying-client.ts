import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import type { Progress } from '../../store/backup/format.ts'
import { createClient } from '../../store/sql/client.ts'
import { databaseServer, makeWritable } from '../open/database-server.ts'

export type CopyingClient = ReturnType<typeof createClient>

/** Works on a connection of its own to the database of the settings, which is not migrated. */
export async function withClient<T>(
  config: Config,
  log: Logger,
  work: (client: CopyingClient) => Promise<T>,
): Promise<T> {
  await makeWritable(config.dataDir)
  const server = await databaseServer(config, log)
  const client = createClient({ ...server.connection, keepAlive: true })
  try {
    await client.connect()
    return await work(client).catch(explain)
  } finally {
    await client.end().catch(() => {})
    await server.stop()
  }
}

export interface CopyOptions {
  /** Path of the backup file. */
  file: string
  log: Logger
  /** Interrupts the work, which then leaves nothing. */
  stop: AbortSignal
  onProgress(progress: Progress): void
}

const insufficientPrivilege = '42501'

/** Explains errors about which the database's operator can do something. */
function explain(error: unknown): never {
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  if (code === insufficientPrivilege) {
    throw new SetupError(
      `the user of DATABASE_URL has too few rights there (${message}): let that user own the database and ` +
        'all tables of build-service',
      { cause: error },
    )
  }
  if (message?.startsWith('Connection terminated') === true || code?.startsWith('57P') === true) {
    throw new SetupError(
      `the connection to the database broke (${message}), and nothing was changed: call this again when the ` +
        'database responds',
      { cause: error },
    )
  }
  throw error
}
