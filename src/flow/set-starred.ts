import type { Actor } from '../domain/audit.ts'
import type { Repository } from '../domain/repository.ts'
import { deleteStar, insertStar } from '../store/stars.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Stars a repository for a user, or takes the star away. */
export function setStarred(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Repository, 'id'>,
  starred: boolean,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const write = starred ? insertStar : deleteStar
    if (!(await write(tx.db, actor.user.id, id))) return
    const action = starred ? 'star' : 'unstar'
    await audit(tx, actor, { action, subject_type: 'repository', subject_id: id })
  })
}
