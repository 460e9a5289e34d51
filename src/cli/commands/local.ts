import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CodehostError } from '../../codehost/codehost.ts'
import { installHook } from '../../codehost/local/hooks/hooks.ts'
import { createLocalCodehost, type LocalCodehost } from '../../codehost/local/local-codehost.ts'
import { openPull } from '../../codehost/local/pulls.ts'
import {
  addRepository,
  findRepositoryAt,
  gitDirectory,
  removeRepository,
} from '../../codehost/local/register.ts'
import { type LocalRepository, repositoriesOf } from '../../codehost/local/repositories.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { registerRepository } from '../../flow/repositories/register-repository.ts'
import { refuseOtherDatabase } from '../../service/database-mark.ts'
import { localDatabase } from '../../service/local/local-database.ts'
import { openStore, type Store } from '../../service/open/open-store.ts'
import { findRunning } from '../../service/running.ts'
import { UsageError } from '../errors.ts'
import { createLog } from '../log.ts'

interface LocalTools {
  config: Config
  store: Store
  local: LocalCodehost
}

export async function add(
  folder: string,
  { name, build = false }: { name?: string; build?: boolean },
): Promise<void> {
  await withLocal(async ({ config, store, local }) => {
    const facts = await addRepository(local, folder, { build, ...(name ? { name } : {}) })
    await registerRepository({ db: store.db }, facts, { codehost_id: 1, login: local.owner })
    const directory = await gitDirectory(local.git, folder)
    const { installed, notes } = await installHook(
      local.git,
      directory,
      hookCommand(config, directory),
    )
    console.log(`registered ${facts.owner.login}/${facts.name}`)
    if (installed.length > 0)
      console.log(`installed the git hooks ${installed.join(', ')}, which report changes`)
    for (const note of notes) console.log(note)
    if (!build) console.log(firstBuild(folder))
  })
  if (build) await notifyService(folder)
}

function firstBuild(folder: string): string {
  return (
    'nothing is built yet: the next commit or push will be. To build the current state: ' +
    `build-service local add ${visible(folder)} --build`
  )
}

export async function list(): Promise<void> {
  await withLocal(async ({ local }) => {
    const repositories = await repositoriesOf(local)
    for (const { owner, name, path: at } of repositories)
      console.log(`${visible(`${owner}/${name}`)}\t${visible(at)}`)
    if (repositories.length === 0) {
      console.log('no repository is registered: build-service local add PATH')
    }
  })
}

/**
 * Called by git hooks; changes that cannot be delivered now are delivered when the service starts. The
 * service itself looks for the changes, so this command needs only the service's data folder.
 */
export async function notifyService(folder: string): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const running = await findRunning(dataDir)
  if (!running) {
    console.log('the service is not running: it will find the changes when it starts')
    return
  }
  const { url, token } = running
  const response = await fetch(`${url}/webhooks/local/changes`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder: path.resolve(folder) }),
  })
  if (response.status === 404) throw notRegistered(folder)
  if (response.status === 503) {
    console.log(
      `the service at ${url} cannot reach its database: it will find the changes automatically`,
    )
    return
  }
  if (!response.ok) throw new Error(`the service at ${url} responded with ${response.status}`)
  const { events } = (await response.json()) as { events: number }
  const changes = events === 1 ? '1 change' : `${events} changes`
  console.log(events === 0 ? 'nothing has changed' : `notified ${url} of ${changes}`)
}

export async function pull(
  base: string,
  head: string,
  { repo, title }: { repo: string; title?: string },
): Promise<void> {
  await withLocal(async (tools) => {
    const repository = await registered(tools.local, repo)
    const opened = await openPull(tools.local, repository, {
      base,
      head,
      ...(title ? { title } : {}),
    })
    console.log(`opened pull request ${opened.number}: ${visible(opened.title)}`)
  })
  await notifyService(repo)
}

export async function remove(folder: string): Promise<void> {
  await withLocal(async ({ local }) => {
    const repository = await registered(local, folder)
    await removeRepository(local, repository)
    console.log(`removed ${repository.owner}/${repository.name}; its builds are kept`)
  })
}

async function registered(local: LocalCodehost, folder: string): Promise<LocalRepository> {
  const repository = await findRepositoryAt(local, folder)
  if (repository) return repository
  throw notRegistered(folder)
}

function notRegistered(folder: string): UsageError {
  return new UsageError(
    `${path.resolve(folder)} is not registered (build-service local list shows those that are): ` +
      `build-service local add ${folder}`,
  )
}

async function withLocal(work: (tools: LocalTools) => Promise<void>): Promise<void> {
  const config = readConfig(process.env)
  await refuseOtherDatabase(config)
  const store = await openStore(config, createLog(config))
  try {
    await work({ config, store, local: createLocalCodehost({ db: localDatabase(store.db) }) })
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) throw new UsageError(error.message)
    throw error
  } finally {
    await store.close()
  }
}

/**
 * The line of shell by which git's hooks call this program: this installation, on this data
 * directory, independent of the environment of the committing user.
 */
function hookCommand({ dataDir }: Pick<Config, 'dataDir'>, repository: string): string {
  const program = fileURLToPath(new URL('../../../bin/build-service.js', import.meta.url))
  const words = [
    'env',
    `DATA_DIR=${dataDir}`,
    process.execPath,
    program,
    'local',
    'notify',
    repository,
  ]
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
