import path from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Executor } from '../../runner/executor.ts'
import {
  createProcessExecutor,
  type ProcessOptions,
} from '../../runner/executors/process/executor.ts'

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
    hidden: [dataDir, ...(privateKeyPath === undefined ? [] : [privateKeyPath])],
  })
}
