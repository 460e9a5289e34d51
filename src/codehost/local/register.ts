import { stat } from 'node:fs/promises'
import path from 'node:path'
import { branchRef } from '../../domain/commit/commit.ts'
import type { RepositoryFacts } from '../../domain/event.ts'
import { CodehostError } from '../codehost.ts'
import type { Git } from './git.ts'
import { removeHooks } from './hooks/hooks.ts'
import type { Local } from './local.ts'
import { dropMerge } from './merge.ts'
import { isSameName, nameOfFolder, readSlug } from './names.ts'
import { pullsOf } from './pulls.ts'
import { defaultBranch, refsBelow } from './refs/refs.ts'
import { forgetReported, markReported } from './refs/reported-refs.ts'
import { refusal } from './refusal.ts'
import {
  findRepository,
  findRepositoryByName,
  findRepositoryByPath,
  type LocalRepository,
  type Registered,
  repositoryFacts,
} from './repositories.ts'

interface AddOptions {
  /** `owner/name`, or a name of the local owner; by default that of the folder. */
  name?: string
  /** Whether the next call of `notify` reports the default branch, so that it is built. */
  build?: boolean
}

/**
 * Registers the git repository to which a folder belongs. Its refs count as reported already. A
 * repository that is already registered keeps its name.
 */
export async function addRepository(
  local: Local,
  folder: string,
  { name, build = false }: AddOptions = {},
): Promise<RepositoryFacts> {
  const directory = await gitDirectory(local.git, folder)
  const slug = readSlug(name ?? nameOfFolder(folderName(directory)), local.owner)
  const known = await findRepositoryByPath(local, directory)
  if (known) {
    if (name !== undefined) refuseOtherName(known, slug)
    if (build) await forgetDefaultBranch(local, known)
    return repositoryFacts(local, known)
  }
  const repository = await insertRepository(local, { ...slug, path: directory }, build)
  return repositoryFacts(local, repository ?? (await registeredMeanwhile(local, directory, slug)))
}

/** Unregisters a repository and removes what was put into its folder. */
export async function removeRepository(local: Local, registered: Registered): Promise<void> {
  const repository = await findRepository(local, registered)
  if (!repository) return
  await removeTraces(local, repository)
  await local.db
    .deleteFrom('local_codehost.repositories')
    .where('id', '=', repository.codehost_id)
    .execute()
}

/** The registered repository that a folder belongs to, or belonged to before it was deleted. */
export async function findRepositoryAt(
  local: Local,
  folder: string,
): Promise<LocalRepository | undefined> {
  const directory = await gitDirectory(local.git, folder).catch((error: unknown) => {
    if (error instanceof CodehostError) return path.resolve(folder)
    throw error
  })
  return (
    (await findRepositoryByPath(local, directory)) ??
    findRepositoryByPath(local, path.join(directory, '.git'))
  )
}

/** The git directory of the repository to which a folder belongs, regardless of the path used. */
export async function gitDirectory(git: Git, folder: string): Promise<string> {
  const absolute = path.resolve(folder)
  const found = await stat(absolute).catch(() => undefined)
  if (!found?.isDirectory()) throw refusal(`there is no folder at ${absolute}`)

  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir']
  const { code, output } = await git(absolute, args, { accept: [0, 128], discover: true })
  if (code === 0) return output.toString().replace(/\n$/, '')
  throw refusal(
    `${absolute} is not a git repository: run "git init" there first, or specify the folder of one`,
  )
}

function folderName(directory: string): string {
  const name = path.basename(directory)
  return name === '.git' ? path.basename(path.dirname(directory)) : name
}

/** Makes the next `notify` report the default branch of a registered repository again. */
async function forgetDefaultBranch(
  { db, git }: Local,
  { codehost_id, path: at }: LocalRepository,
): Promise<void> {
  await forgetReported(db, codehost_id, branchRef(await defaultBranch(git, at)))
}

type Slug = ReturnType<typeof readSlug>

/** Undefined when the name or the folder is registered already. */
async function insertRepository(
  { db, git }: Local,
  repository: Slug & { path: string },
  build: boolean,
): Promise<LocalRepository | undefined> {
  const refs = await refsBelow(git, repository.path, ['refs/heads', 'refs/tags'])
  if (build) refs.delete(branchRef(await defaultBranch(git, repository.path)))
  return db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('local_codehost.repositories')
      .values(repository)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id as codehost_id', 'owner', 'name', 'path'])
      .executeTakeFirst()
    if (made) await markReported(tx, made.codehost_id, refs)
    return made
  })
}

/** The repository that a concurrent call registered; throws if another folder has the name. */
async function registeredMeanwhile(
  local: Local,
  directory: string,
  slug: Slug,
): Promise<LocalRepository> {
  const same = await findRepositoryByPath(local, directory)
  if (same) return same
  const text = `${slug.owner}/${slug.name}`
  const other = await findRepositoryByName(local, text)
  const taker = other?.path ?? 'another folder'
  throw refusal(
    `the name ${text} is taken by ${taker}: choose another one with "--name owner/name", ` +
      `or run "build-service local remove ${taker}" first`,
  )
}

function refuseOtherName(known: LocalRepository, { owner, name }: Slug): void {
  if (isSameName(known.owner, owner) && isSameName(known.name, name)) return
  throw refusal(
    `${known.path} is registered as ${known.owner}/${known.name} already: to rename it, run ` +
      `"build-service local remove ${known.path}" first`,
  )
}

async function removeTraces(local: Local, repository: LocalRepository): Promise<void> {
  try {
    await removeHooks(local.git, repository.path)
    for (const { number } of await pullsOf(local, repository)) {
      await dropMerge(local.git, repository.path, number)
    }
  } catch (error) {
    // A repository can be unregistered even if its folder is missing or not accessible.
    if (!(error instanceof CodehostError)) throw error
  }
}
