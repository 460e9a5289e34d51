import type { Actor } from '../../domain/audit.ts'
import type { Cache } from '../../domain/cache.ts'
import { type CacheFilter, deleteCachesOf } from '../../store/repositories/caches.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** Deletes the caches of a repository that match the filter, and returns them. */
export function deleteCaches(
  ctx: Context,
  repositoryId: number,
  filter: CacheFilter,
  actor: Actor,
): Promise<Cache[]> {
  return transact(ctx, async (tx) => {
    const deleted = await deleteCachesOf(tx.db, repositoryId, filter)
    if (deleted.length > 0) {
      await audit(tx, actor, {
        action: 'delete_caches',
        subject_type: 'repository',
        subject_id: repositoryId,
        changed: { caches: deleted.map(({ branch, slug }) => ({ branch, slug })) },
      })
    }
    return deleted
  })
}
