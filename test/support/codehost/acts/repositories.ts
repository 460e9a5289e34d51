import { rm } from 'node:fs/promises'
import { tipsOf } from '../../../../src/codehost/local/refs/refs.ts'
import type { Content, NewCommit } from '../../../codehost/contract.ts'
import { commit, git } from '../../../codehost/local/git-folder.ts'
import { announcePushes } from '../events/push.ts'
import { branchesAndTags, initialize } from '../git.ts'
import type { Repository, Role } from '../tables.ts'
import type { World } from '../world.ts'
import { accountNamed, doerOf } from './accounts.ts'

export interface NewRepository {
  /** Who need not be there yet, and is a user then. */
  owner?: string
  name?: string
  private?: boolean
  default_branch?: string
  description?: string | null
  language?: string | null
  /** What its first commit has; without, it is empty. */
  files?: Record<string, Content>
  /** Roles by login. */
  collaborators?: Record<string, Role>
}

/** Makes a repository; no one is notified. */
export async function addRepository(
  world: World,
  { owner = 'octavia', name = 'hello', files, ...given }: NewRepository,
): Promise<Repository> {
  const { tables, now } = world
  const { default_branch = 'main', description = null, language = null } = given
  const id = tables.nextId()
  const repository: Repository = {
    id,
    name,
    owner: accountNamed(world, owner),
    former_slugs: [],
    parent: null,
    private: given.private ?? false,
    default_branch,
    description,
    language,
    archived: false,
    created_at: now(),
    updated_at: now(),
    pushed_at: now(),
    folder: await initialize(world, id, default_branch),
    collaborators: new Map(),
  }
  for (const [login, role] of Object.entries(given.collaborators ?? {})) {
    repository.collaborators.set(accountNamed(world, login).id, role)
  }
  tables.repositories.push(repository)
  if (files) await commit(repository.folder, { branch: default_branch, files })
  return repository
}

/** Changes the git repository, then reports what was pushed. */
export async function pushing<T>(
  world: World,
  repository: Repository,
  by: string | undefined,
  act: (folder: string) => Promise<T>,
): Promise<T> {
  const before = await branchesAndTags(world, repository)
  const done = await act(repository.folder)
  await announcePushes(world, repository, before, doerOf(world, repository, by))
  return done
}

export type Pushed = NewCommit & { by?: string }

/** Pushes a new commit, and returns its id. A new branch leaves from the default one. */
export async function pushCommit(
  world: World,
  repository: Repository,
  { by, ...given }: Pushed = {},
): Promise<string> {
  const { branch = repository.default_branch } = given
  const { folder, default_branch } = repository
  const [own, main] = await tipsOf(world.git, folder, [branch, default_branch])
  const parent = given.parent ?? own ?? main
  const made = { ...given, branch, ...(parent === undefined ? {} : { parent }) }
  return pushing(world, repository, by, () => commit(folder, made))
}

/** Pushes a branch or tag as it is to be from now on: `refs/tags/v1`, and without sha gone. */
export async function pushRef(
  world: World,
  repository: Repository,
  ref: string,
  { sha, message, by }: { sha?: string; message?: string; by?: string } = {},
): Promise<void> {
  await pushing(world, repository, by, async (folder) => {
    if (sha === undefined) return git(folder, 'update-ref', '-d', ref)
    if (message === undefined) return git(folder, 'update-ref', ref, sha)
    return git(folder, 'tag', '-f', '-a', '-m', message, ref.replace('refs/tags/', ''), sha)
  })
}

/** Takes a repository away, with all that was forked from it left behind. */
export async function dropRepository({ tables }: World, repository: Repository): Promise<void> {
  tables.repositories.splice(tables.repositories.indexOf(repository), 1)
  for (const each of tables.repositories) if (each.parent === repository) each.parent = null
  for (const { head } of tables.pulls) if (head.repository === repository) head.repository = null
  for (const { repositories } of tables.installations) repositories.delete(repository)
  await rm(repository.folder, { recursive: true, force: true })
}
