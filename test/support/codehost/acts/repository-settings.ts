import { git } from '../../../codehost/local/git-folder.ts'
import { announce } from '../deliveries.ts'
import { announceChoice } from '../events/installation.ts'
import { about } from '../events/payload.ts'
import { announceRepository } from '../events/repository.ts'
import { installationOf } from '../reach.ts'
import { account, organization } from '../shapes/account.ts'
import { type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { accountNamed, doerOf } from './accounts.ts'
import { addRepository, dropRepository, type NewRepository } from './repositories.ts'

/** Makes a repository, of which an app hears that is installed on all of its owner's. */
export async function create(world: World, given: NewRepository): Promise<Repository> {
  const repository = await addRepository(world, given)
  const installation = installationOf(world, repository)
  await announceRepository(world, repository, 'created')
  if (installation) await announceChoice(world, installation, 'added', [repository])
  return repository
}

/** Makes someone's copy of a repository, with all that is in it. */
export async function fork(world: World, parent: Repository, owner: string): Promise<Repository> {
  const { name, default_branch, description, language } = parent
  const settings = { private: parent.private, default_branch, description, language }
  const made = await create(world, { owner, name, ...settings })
  await git(made.folder, 'fetch', '--quiet', parent.folder, 'refs/heads/*:refs/heads/*')
  made.parent = parent
  return made
}

export async function rename(world: World, repository: Repository, name: string): Promise<void> {
  const from = repository.name
  repository.former_slugs.push(slugOf(repository))
  Object.assign(repository, { name, updated_at: world.now() })
  await announceRepository(world, repository, 'renamed', { repository: { name: { from } } })
}

/** Gives a repository to someone else. The app sees it there only if it is installed there. */
export async function transfer(world: World, repository: Repository, to: string): Promise<void> {
  const from = repository.owner
  const before = installationOf(world, repository)
  repository.former_slugs.push(slugOf(repository))
  Object.assign(repository, { owner: accountNamed(world, to), updated_at: world.now() })
  const kind = from.type === 'Organization' ? 'organization' : 'user'
  const shape = kind === 'organization' ? organization : account
  const changes = { owner: { from: { [kind]: shape(world, from) } } }
  await announceRepository(world, repository, 'transferred', changes)
  const after = installationOf(world, repository)
  before?.repositories.delete(repository)
  if (before) await announceChoice(world, before, 'removed', [repository])
  if (after) await announceChoice(world, after, 'added', [repository])
}

/** Changes what everyone may see. */
export async function setPrivate(
  world: World,
  repository: Repository,
  isPrivate: boolean,
): Promise<void> {
  Object.assign(repository, { private: isPrivate, updated_at: world.now() })
  await announceRepository(world, repository, isPrivate ? 'privatized' : 'publicized')
  if (isPrivate) return
  const payload = about(world, repository, doerOf(world, repository))
  await announce(world, { event: 'public', payload, repository })
}

export async function setArchived(
  world: World,
  repository: Repository,
  archived: boolean,
): Promise<void> {
  Object.assign(repository, { archived, updated_at: world.now() })
  await announceRepository(world, repository, archived ? 'archived' : 'unarchived')
}

type Edited = Partial<Pick<Repository, 'default_branch' | 'description'>>

export async function edit(world: World, repository: Repository, to: Edited): Promise<void> {
  const changes = Object.fromEntries(
    Object.keys(to).map((name) => [name, { from: repository[name as keyof Edited] }]),
  )
  Object.assign(repository, to, { updated_at: world.now() })
  if (to.default_branch !== undefined) {
    const head = ['symbolic-ref', 'HEAD', `refs/heads/${to.default_branch}`]
    await world.git(repository.folder, head)
  }
  await announceRepository(world, repository, 'edited', changes)
}

export async function remove(world: World, repository: Repository): Promise<void> {
  await announceRepository(world, repository, 'deleted')
  await dropRepository(world, repository)
}
