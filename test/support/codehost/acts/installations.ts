import { announceChoice, announceInstallation } from '../events/installation.ts'
import type { Installation, Repository } from '../tables.ts'
import type { World } from '../world.ts'
import { accountNamed } from './accounts.ts'

/** Installs the app on an account, for all of its repositories or for some. */
export async function install(
  world: World,
  login: string,
  repositories: 'all' | readonly Repository[] = 'all',
): Promise<Installation> {
  const { tables, app, now } = world
  const installation: Installation = {
    id: tables.nextId(),
    account: accountNamed(world, login),
    repository_selection: repositories === 'all' ? 'all' : 'selected',
    repositories: new Set(repositories === 'all' ? [] : repositories),
    permissions: app.permissions,
    events: app.events,
    created_at: now(),
    updated_at: now(),
    suspended_at: null,
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
  const action = suspended ? 'suspend' : 'unsuspend'
  await announceInstallation(world, installation, action, repositoriesOf(world, installation))
}

/** Agrees to what the app asks for by now. */
export async function acceptPermissions(world: World, installation: Installation): Promise<void> {
  const { permissions, events } = world.app
  Object.assign(installation, { permissions, events, updated_at: world.now() })
  const repositories = repositoriesOf(world, installation)
  await announceInstallation(world, installation, 'new_permissions_accepted', repositories)
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
  await announceChoice(world, installation, 'added', add)
  await announceChoice(world, installation, 'removed', remove)
}

function repositoriesOf({ tables }: World, installation: Installation): Repository[] {
  const { repository_selection, repositories } = installation
  if (repository_selection === 'selected') return [...repositories]
  return tables.repositories.filter(({ owner }) => owner === installation.account)
}
