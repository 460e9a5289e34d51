import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Executor } from '../../runner/executor.ts'
import {
  createProcessExecutor,
  type ProcessOptions,
} from '../../runner/executors/process/executor.ts'
import { embeddedFolder, socketFolder, stopAbandoned } from '../../store/embedded/server.ts'
import { runnerId } from './runner-id.ts'

type InstallationSettings = Pick<Config, 'dataDir' | 'privateKeyPath'> &
  Partial<Pick<Config, 'runnerPath' | 'runnerReadOnly'>>

/** The executor of an installation: works in its data folder, and hides its secrets from jobs. */
export function processExecutor(
  { dataDir, privateKeyPath, runnerPath, runnerReadOnly }: InstallationSettings,
  options: Omit<ProcessOptions, 'workDir' | 'hidden' | 'tools'>,
): Executor {
  return createProcessExecutor({
    ...options,
    tools: { path: runnerPath, readOnly: runnerReadOnly },
    workDir: path.join(dataDir, 'work'),
    hidden: [
      dataDir,
      socketFolder(embeddedFolder(dataDir)),
      ...(privateKeyPath === undefined ? [] : [privateKeyPath]),
    ],
  })
}

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
