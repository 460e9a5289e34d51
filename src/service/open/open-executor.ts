import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { type Config, engineOf, type Environment, readConfig } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { folderOf, placeOfNew } from '../../objects/open-objects.ts'
import type { Executor } from '../../runner/executor.ts'
import { createDockerExecutor } from '../../runner/executors/docker/executor.ts'
import {
  createProcessExecutor,
  type ProcessOptions,
} from '../../runner/executors/process/executor.ts'
import { defaultImageMap, type ImageMap, readImageMap } from '../../script/images/image-map.ts'
import { embeddedFolder, socketFolder, stopAbandoned } from '../../store/embedded/server.ts'
import { runnerId } from './runner-id.ts'

type InstallationSettings = Pick<Config, 'dataDir' | 'privateKeyPath'> &
  Partial<Pick<Config, 'runnerPath' | 'runnerReadOnly'>> & {
    /** Where finished logs are. */
    places?: readonly string[]
  }

/** The executor of an installation: works in its data folder, and hides its secrets and logs from jobs. */
export function processExecutor(
  { dataDir, privateKeyPath, runnerPath, runnerReadOnly, places = [] }: InstallationSettings,
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
      ...places.map(folderOf).filter((folder) => folder !== undefined),
    ],
  })
}

interface ExecutorTools {
  runnerId: string
  log?: Logger
  /** Other stores with finished logs than the store of the settings. */
  places?: readonly string[]
  /** Called with lines about slow work before the first job. */
  say?: ((line: string) => void) | undefined
}

/** The executor that an installation's settings select. */
export function openExecutor(
  config: Config,
  { runnerId, log, places = [], say }: ExecutorTools,
): Executor {
  const options = { runnerId, ...(log ? { log } : {}) }
  if (config.executor === 'process') {
    const current = placeOfNew(config)
    const all = current === undefined ? places : [current, ...places]
    return processExecutor({ ...config, places: all }, options)
  }
  return createDockerExecutor({
    ...options,
    workDir: containersIn(config.dataDir),
    images: { file: path.join(config.dataDir, 'images.json'), days: config.imageDays },
    say,
    cloneImage: config.cloneImage,
    user: config.jobUser,
    slots: config.runnerSlots,
    allowed: config.jobNetworkAllow,
    env: config.engine,
  })
}

/** The map of images. Throws a SetupError that names the problem with the setting. */
export function readImages({ images }: Pick<Config, 'images'>): ImageMap {
  if (images === undefined) return defaultImageMap
  try {
    return readImageMap(/^[./]/.test(images) ? readFileSync(images, 'utf8') : images)
  } catch (error) {
    throw new SetupError(`IMAGES cannot be used: ${(error as Error).message}`)
  }
}

/** The folder in which an installation packs files for its containers. */
const containersIn = (dataDir: string) => path.join(dataDir, 'work', containers)
const containers = 'containers'

/** Ends the jobs and the database server that a killed service of this data folder left behind. */
export async function endAbandoned(dataDir: string, env: Environment): Promise<void> {
  const left = await readdir(path.join(dataDir, 'work')).catch((): string[] => [])
  if (left.length > 0) {
    const executor = left.includes(containers) ? 'docker' : 'process'
    const id = await runnerId(dataDir)
    const opened = openExecutor(
      { ...readConfig(engineOf(env)), dataDir, executor },
      { runnerId: id },
    )
    await opened.reap(id)
    await opened.close()
  }
  await stopAbandoned(embeddedFolder(dataDir))
}
