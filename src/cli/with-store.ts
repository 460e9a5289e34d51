import { type Config, readConfig } from '../config/config.ts'
import { refuseOtherDatabase } from '../service/database-mark.ts'
import { openStore, type Store } from '../service/open-store.ts'
import { createLog } from './log.ts'

/** Opens the database of the service for a command that prints what is in it. */
export async function withStore<T>(work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  await refuseOtherDatabase(config)
  const store = await openStore(config, createLog(config))
  try {
    return await work(store, config)
  } finally {
    await store.close()
  }
}
