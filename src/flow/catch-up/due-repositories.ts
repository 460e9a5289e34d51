import type { Past, PushedRepository, RepositoryRef } from '../../codehost/codehost.ts'
import { slugOf } from '../../domain/repository.ts'
import { isAwaited, type WatchedRepository, watchedRepositories } from '../../store/catch-up.ts'
import type { CatchUpContext } from './context.ts'

/**
 * The code host tells the second of a push. What is looked at so soon after one may be pushed to again
 * within that second; the clocks of both machines may differ.
 */
const unsettled = 5 * 60 * 1000

/** A repository that was pushed to since its branches or tags were looked at. */
export interface DueRepository {
  installation: number
  repository: WatchedRepository
  ref: RepositoryRef
  pushed: PushedRepository
  /** When it was pushed to last; null while it may be pushed to in the same second again. */
  settled_at: Date | null
  /** What is to be looked at. */
  branches: boolean
  tags: boolean
}

/** Those of an installation, but for the `awaited`, whose webhooks are on their way. */
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
