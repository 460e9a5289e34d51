import { announce } from '../deliveries.ts'
import { dropMerge, keepHead } from '../merging.ts'
import { pull as shape } from '../shapes/pull.ts'
import type { Account, Pull, Repository } from '../tables.ts'
import type { World } from '../world.ts'
import { about, shortRef, zeros } from './payload.ts'

/** Reports what became of a pull request. */
export async function announcePull(
  world: World,
  pull: Pull,
  action: string,
  sender: Account,
  details: Record<string, unknown> = {},
): Promise<void> {
  const payload = {
    action,
    number: pull.number,
    pull_request: shape(world, pull),
    ...details,
    ...about(world, pull.repository, sender),
  }
  await announce(world, { event: 'pull_request', payload, repository: pull.repository })
}

/** Open pull requests follow the branch that they come from. */
export async function followHead(
  world: World,
  repository: Repository,
  { ref, before, after }: { ref: string; before: string; after: string },
  sender: Account,
): Promise<void> {
  const concerned = world.tables.pulls.filter(
    ({ state, head }) =>
      state === 'open' && head.repository === repository && head.ref === shortRef(ref),
  )
  for (const pull of concerned) {
    pull.updated_at = world.now()
    if (after === zeros) {
      await close(world, pull, sender)
      continue
    }
    pull.head.sha = after
    await keepHead(world, pull, repository)
    await announcePull(world, pull, 'synchronize', sender, { before, after })
  }
}

export async function close(world: World, pull: Pull, sender: Account): Promise<void> {
  pull.state = 'closed'
  pull.closed_at = pull.updated_at = world.now()
  await dropMerge(world, pull)
  await announcePull(world, pull, 'closed', sender)
}
