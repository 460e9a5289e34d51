import { access, constants, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { keepEmbedded, type KeptServer } from '../../store/embedded/keep-running.ts'
import { embeddedFolder } from '../../store/embedded/server.ts'
import { checkConnection } from '../../store/sql/connection.ts'

type ServerSettings = Pick<Config, 'databaseUrl' | 'dataDir'>

/** The server from DATABASE_URL, or the embedded server, which is started unless it runs. */
export async function databaseServer(
  { databaseUrl, dataDir }: ServerSettings,
  log: Logger,
): Promise<KeptServer> {
  if (databaseUrl === undefined) {
    return keepEmbedded(embeddedFolder(dataDir), (reason) => {
      log.error({ reason }, 'the embedded PostgreSQL has ended, and is started again')
    })
  }
  const connection = { connectionString: databaseUrl }
  await checkConnection(connection)
  // Restarting the server from DATABASE_URL is up to its operator.
  return { connection, lost: new Promise(() => {}), stop: async () => {} }
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

/** Creates one folder at a time: below /proc, Node's recursive `mkdir` would retry forever. */
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
