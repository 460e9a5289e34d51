import type { Past, PushedRepository, RepositoryRef } from '../../codehost/codehost.ts'
import { slugOf } from '../../domain/repository.ts'
import {
  isAwaited,
  type WatchedRepository,
  watchedRepositories,
} from '../../store/deliveries/catch-up.ts'
import type { CatchUpContext } from './context.ts'

/**
 * Milliseconds after a push within which a repository does not count as settled. The code host reports pushes
 * to the second, so another one may follow within that second, and the clocks of both machines may differ.
 */
const unsettled = 5 * 60 * 1000

/** A repository that was pushed to since its branches or tags were looked at. */
export interface DueRepository {
  installation: number
  repository: WatchedRepository
  ref: RepositoryRef
  pushed: PushedRepository
  /** Time of the last push; null while another push may follow within the same second. */
  settled_at: Date | null
  /** Whether the branches are to be compared; `tags` likewise. */
  branches: boolean
  tags: boolean
}

/** The due repositories of an installation, except the `awaited` ones, whose webhooks are on their way. */
export async function* dueRepositories(
  ctx: CatchUpContext,
  past: Past,
  installation: number,
  awaited: ReadonlySet<number | null>,
): AsyncGenerator<DueRepository> {
  const known = await watchedRepositories(ctx.db, installation)
  if (known.size === 0) return
  for (const pushed of await past.pushed(installation)) {
    const { facts, pushed_at } = pushed
    const repository = known.get(facts.codehost_id)
    if (!repository || pushed_at === null || awaited.has(facts.codehost_id)) continue
    const isDue = (seen_at: Date | null) => seen_at?.getTime() !== pushed_at.getTime()
    const branches = isDue(repository.pushed_at)
    const tags = ctx.config.catchUpTags && isDue(repository.tags_pushed_at)
    if ((!branches && !tags) || (await isAwaited(ctx.db, repository))) continue
    const isSettled = ctx.now().getTime() - pushed_at.getTime() > unsettled
    yield {
      installation,
      repository,
      pushed,
      branches,
      tags,
      ref: {
        codehost_id: facts.codehost_id,
        slug: slugOf({ owner_name: facts.owner.login, name: facts.name }),
        private: repository.private,
        installation,
      },
      settled_at: isSettled ? pushed_at : null,
    }
  }
}
