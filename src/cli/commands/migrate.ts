import { readConfig } from '../../config/config.ts'
import { openStore } from '../../service/open/open-store.ts'
import { createLog } from '../log.ts'

export async function migrateDatabase(): Promise<void> {
  const config = readConfig(process.env)
  const { migrated, close } = await openStore(config, createLog(config))
  await close()
  for (const name of migrated) console.log(`ran ${name}`)
  console.log('the database is up to date')
}
