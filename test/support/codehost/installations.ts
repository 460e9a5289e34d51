import { accountNamed, doerOf } from './accounts.ts'
import { announce } from './deliveries.ts'
import { account } from './shapes/account.ts'
import { nodeId } from './shapes/answer.ts'
import { installation as shape } from './shapes/app.ts'
import { type Installation, type Repository, slugOf } from './tables.ts'
import type { World } from './world.ts'

/** Installs the app on an account, for all of its repositories or for some. */
export async function install(
  world: World,
  login: string,
  repositories: 'all' | readonly Repository[] = 'all',
): Promise<Installation> {
  const { tables, app, now } = world
  const installation: Installation = {
    ...{ id: tables.nextId(), account: accountNamed(world, login) },
    repository_selection: repositories === 'all' ? 'all' : 'selected',
    repositories: new Set(repositories === 'all' ? [] : repositories),
    ...{ permissions: app.permissions, events: app.events },
    ...{ created_at: now(), updated_at: now(), suspended_at: null },
  }
  tables.installations.push(installation)
  await announceInstallation(world, installation, 'created', repositoriesOf(world, installation))
  return installation
}

export async function uninstall(world: World, installation: Installation): Promise<void> {
  const { tables } = world
  const repositories = repositoriesOf(world, installation)
  tables.installations.splice(tables.installations.indexOf(installation), 1)
  tables.tokens = tables.tokens.filter(
    (each) => each.kind === 'user' || each.installation !== installation,
  )
  await announceInstallation(world, installation, 'deleted', repositories)
}

export async function suspend(
  world: World,
  installation: Installation,
  suspended = true,
): Promise<void> {
  installation.suspended_at = suspended ? world.now() : null
  installation.updated_at = world.now()
  await announceInstallation(world, installation, suspended ? 'suspend' : 'unsuspend')
}

/** Gives the app more repositories, or takes some away; the others stay as they are. */
export async function choose(
  world: World,
  installation: Installation,
  { add = [], remove = [] }: { add?: readonly Repository[]; remove?: readonly Repository[] },
): Promise<void> {
  if (installation.repository_selection === 'all') {
    installation.repositories = new Set(repositoriesOf(world, installation))
    installation.repository_selection = 'selected'
  }
  for (const each of add) installation.repositories.add(each)
  for (const each of remove) installation.repositories.delete(each)
  if (add.length > 0) await announceChoice(world, installation, 'added', add)
  if (remove.length > 0) await announceChoice(world, installation, 'removed', remove)
}

export function repositoriesOf({ tables }: World, installation: Installation): Repository[] {
  const { repository_selection, repositories } = installation
  if (repository_selection === 'selected') return [...repositories]
  return tables.repositories.filter(({ owner }) => owner === installation.account)
}

async function announceInstallation(
  world: World,
  installation: Installation,
  action: string,
  repositories?: readonly Repository[],
): Promise<void> {
  const payload = {
    ...{ action, installation: told(world, installation) },
    ...(repositories ? { repositories: repositories.map(inShort) } : {}),
    ...(action === 'created' ? { requester: null } : {}),
    sender: senderOf(world, installation),
  }
  await announce(world, { event: 'installation', payload, installation })
}

async function announceChoice(
  world: World,
  installation: Installation,
  action: 'added' | 'removed',
  repositories: readonly Repository[],
): Promise<void> {
  const changed = repositories.map(inShort)
  const payload = {
    ...{ action, installation: told(world, installation) },
    repository_selection: installation.repository_selection,
    repositories_added: action === 'added' ? changed : [],
    repositories_removed: action === 'removed' ? changed : [],
    requester: null,
    sender: senderOf(world, installation),
  }
  await announce(world, { event: 'installation_repositories', payload, installation })
}

/** Events tell its times in seconds. */
function told(world: World, installation: Installation) {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    ...shape(world, installation),
    created_at: seconds(installation.created_at),
    updated_at: seconds(installation.updated_at),
  }
}

function inShort(repository: Repository) {
  const { id, name } = repository
  return {
    ...{ id, node_id: nodeId('Repository', id), name, full_name: slugOf(repository) },
    private: repository.private,
  }
}

function senderOf(world: World, installation: Installation) {
  return account(world, doerOf(world, { owner: installation.account }))
}
