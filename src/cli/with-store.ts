import { type Config, readConfig } from '../config/config.ts'
import { visibleJson } from '../domain/visible.ts'
import { refuseOtherDatabase, refuseUnusedFolder } from '../service/database-mark.ts'
import { openStore, type Store } from '../service/open/open-store.ts'
import { findRunning } from '../service/running.ts'
import { siteOf } from '../service/site.ts'
import { createLog } from './log.ts'

/** Works on the database of the service on the same folder, whether that runs or not. */
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

/** Where people reach the service: as it is set, or where the one on this folder runs. */
export async function addressOf(config: Config, sealer: Store['sealer']): Promise<string> {
  const running = config.publicUrl === undefined ? await findRunning(config.dataDir) : undefined
  return running?.url ?? siteOf(config, sealer, config.port).url
}

export function printJson(value: unknown): void {
  console.log(visibleJson(value, 2))
}
