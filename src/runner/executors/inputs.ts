import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type JobInput, StartError } from '../executor.ts'
import { checkId } from './check-id.ts'
import { bareEnvironment } from './environment.ts'
import type { JobUser } from './job-user.ts'
import { type Ended, runProgram } from './program.ts'
import { removeFolder } from './remove-folder.ts'

/** The folder of a run, as far as inputs need it. */
export interface InputPlace {
  folder: string
  /** The account that the inputs are for; undefined if it is that of the service. */
  user: JobUser | undefined
}

export function inputFolder({ folder }: InputPlace): string {
  return path.join(folder, 'input')
}

/**
 * Copies folders of this machine to where the step `clone` may read them: the job's user may not have
 * access to the originals, and a git repository would bring its hooks along.
 */
export async function bringInputs(
  place: InputPlace,
  inputs: readonly JobInput[],
  signal: AbortSignal,
): Promise<void> {
  const folder = inputFolder(place)
  await mkdir(folder, { mode: 0o700 })
  for (const { name, path: from } of inputs) {
    const to = path.join(folder, checkId(name))
    if (await isRepository(from)) await mirror(place, from, to, signal)
    else await copy(from, to)
  }
  await handOver(folder, place)
}

export async function removeInputs(place: InputPlace): Promise<void> {
  await removeFolder(inputFolder(place), place.user)
}

async function isRepository(folder: string): Promise<boolean> {
  if (await exists(path.join(folder, '.git'))) return true
  return (await exists(path.join(folder, 'HEAD'))) && (await exists(path.join(folder, 'objects')))
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined
}

/** Copies all refs of a repository, including pull requests, without its settings and hooks. */
async function mirror(
  { folder }: InputPlace,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  // In a file, because settings from `-c` do not reach the program that reads the original.
  const settings = path.join(folder, 'gitconfig')
  await writeFile(settings, '[safe]\n\tdirectory = *\n[protocol "file"]\n\tallow = always\n')
  const env = { ...bareEnvironment, GIT_CONFIG_GLOBAL: settings, GIT_CONFIG_NOSYSTEM: '1' }
  const options = ['--quiet', '--mirror', '--no-hardlinks', '--dissociate', '--template=']
  const ended = await runProgram('git', ['clone', ...options, '--', from, to], { env, signal })
  await rm(settings)
  check(ended, `the repository ${from} could not be copied`, signal)
}

async function copy(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  } catch (error) {
    throw new StartError('machine', `the folder ${from} could not be copied: ${String(error)}`)
  }
}

/** `chown` reaches the folder itself last, so no job can enter it until all contents are handed over. */
async function handOver(folder: string, { user }: InputPlace): Promise<void> {
  if (!user) return
  const owner = `${user.uid}:${user.gid}`
  const ended = await runProgram('chown', ['-hR', owner, folder], { env: bareEnvironment })
  check(ended, `${folder} could not be handed over to the job's user`)
}

function check({ code, text }: Ended, what: string, signal?: AbortSignal): void {
  signal?.throwIfAborted()
  if (code !== 0) throw new StartError('machine', `${what}: ${text}`)
}
