import { doerOf } from '../acts/accounts.ts'
import { announce } from '../deliveries.ts'
import type { Repository } from '../tables.ts'
import type { World } from '../world.ts'
import { about } from './payload.ts'

/** Reports what became of a repository. */
export async function announceRepository(
  world: World,
  repository: Repository,
  action: string,
  changes?: Record<string, unknown>,
): Promise<void> {
  const sender = doerOf(world, repository)
  const payload = { action, ...(changes ? { changes } : {}), ...about(world, repository, sender) }
  await announce(world, { event: 'repository', payload, repository })
}
