import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { SetupError } from '../domain/errors.ts'
import { embeddedFolder } from '../store/embedded/server.ts'
import { findRunning } from './running.ts'

/** Distinguishes databases without revealing their address or password. */
export function databaseMark({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === undefined) return 'embedded'
  return createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16)
}

/**
 * Keeps a command from using another database than the service on the same folder: the service would
 * never see the data stored there.
 */
export async function refuseOtherDatabase(config: Config): Promise<void> {
  const running = await findRunning(config.dataDir).catch(() => undefined)
  if (!running || running.database === databaseMark(config)) return
  const given = config.databaseUrl === undefined ? 'the embedded one' : 'that of DATABASE_URL'
  throw new SetupError(
    `the running service of the folder ${config.dataDir} (${running.url}) uses a different database than ` +
      `this command, which would use ${given}: set DATABASE_URL and MASTER_KEY as for the service`,
  )
}

/** Keeps a command about existing data from creating an empty database in a folder never used before. */
export function refuseUnusedFolder({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(embeddedFolder(dataDir))) return
  throw new SetupError(
    `the folder ${dataDir} holds no database of a service: set DATA_DIR to the folder of the service, or ` +
      'DATABASE_URL to its database; if there is none yet, start it first (build-service start)',
  )
}
