import { type Config, readConfig } from '../config/config.ts'
import { visibleJson } from '../domain/text/escape-control-characters.ts'
import { refuseOtherDatabase, refuseUnusedFolder } from '../service/database-mark.ts'
import { openStore, type Store } from '../service/open/open-store.ts'
import { findRunning } from '../service/running.ts'
import { siteOf } from '../service/site.ts'
import { createLog } from './log.ts'

/** Works on the database of the service on the same folder, whether the service runs or not. */
export async function withStore<T>(work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  refuseUnusedFolder(config)
  await refuseOtherDatabase(config)
  const store = await openStore(config, createLog(config))
  try {
    return await work(store, config)
  } finally {
    await store.close()
  }
}

/** Public address of the service: the configured one, or that of the process on this folder. */
export async function addressOf(config: Config): Promise<string> {
  const running = config.publicUrl === undefined ? await findRunning(config.dataDir) : undefined
  return running?.url ?? siteOf(config, config.port).url
}

export function printJson(value: unknown): void {
  console.log(visibleJson(value, 2))
}
