import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { embeddedFolder, stopAbandoned } from '../store/embedded.ts'
import { processExecutor } from './open/process-executor.ts'
import { runnerId } from './open/runner-id.ts'

/** Ends the jobs and the database server that a killed service of this data folder left behind. */
export async function endAbandoned(dataDir: string): Promise<void> {
  const jobs = await readdir(path.join(dataDir, 'work')).catch(() => [])
  if (jobs.length > 0) {
    const id = await runnerId(dataDir)
    const executor = processExecutor({ dataDir, privateKeyPath: undefined }, { runnerId: id })
    await executor.reap(id)
    await executor.close()
  }
  await stopAbandoned(embeddedFolder(dataDir))
}
