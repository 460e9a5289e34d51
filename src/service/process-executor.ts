import path from 'node:path'
import type { Config } from '../config/config.ts'
import type { Executor } from '../runner/executor.ts'
import { createProcessExecutor, type ProcessOptions } from '../runner/executors/process/executor.ts'

/** The executor of an installation: works in its data folder, and hides its secrets from jobs. */
export function processExecutor(
  { dataDir, privateKeyPath }: Pick<Config, 'dataDir' | 'privateKeyPath'>,
  options: Omit<ProcessOptions, 'workDir' | 'hidden'>,
): Executor {
  return createProcessExecutor({
    ...options,
    workDir: path.join(dataDir, 'work'),
    hidden: [dataDir, ...(privateKeyPath === undefined ? [] : [privateKeyPath])],
  })
}
