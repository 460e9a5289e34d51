import { doerOf } from '../acts/accounts.ts'
import { announce } from '../deliveries.ts'
import { account } from '../shapes/account.ts'
import { nodeId } from '../shapes/answer.ts'
import { installation as shape } from '../shapes/app.ts'
import { type Installation, type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'

/** Reports what became of an installation. */
export async function announceInstallation(
  world: World,
  installation: Installation,
  action: string,
  repositories: readonly Repository[],
): Promise<void> {
  const payload = {
    action,
    installation: told(world, installation),
    repositories: repositories.map(inShort),
    ...(action === 'created' ? { requester: null } : {}),
    sender: senderOf(world, installation),
  }
  await announce(world, { event: 'installation', payload, installation })
}

/** Reports which repositories came to an installation or went from it, if any. */
export async function announceChoice(
  world: World,
  installation: Installation,
  action: 'added' | 'removed',
  repositories: readonly Repository[],
): Promise<void> {
  if (repositories.length === 0) return
  const changed = repositories.map(inShort)
  const payload = {
    action,
    installation: told(world, installation),
    repository_selection: installation.repository_selection,
    repositories_added: action === 'added' ? changed : [],
    repositories_removed: action === 'removed' ? changed : [],
    requester: null,
    sender: senderOf(world, installation),
  }
  await announce(world, { event: 'installation_repositories', payload, installation })
}

/** Events have its times in seconds. */
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
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: slugOf(repository),
    private: repository.private,
  }
}

function senderOf(world: World, installation: Installation) {
  return account(world, doerOf(world, { owner: installation.account }))
}
