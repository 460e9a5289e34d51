import type { Actor } from '../domain/audit.ts'
import { conflictTexts, ServiceError } from '../domain/errors.ts'
import type { User } from '../domain/owner.ts'
import { beginUserSync, endUserSync, isBeingSynced } from '../store/user-syncs.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

const alreadySyncing = () => new ServiceError('already_syncing', conflictTexts.already_syncing)

/** Why a user cannot be synced now, if so. */
export async function refusalOfUserSync(
  { db }: Context,
  { id }: Pick<User, 'id'>,
): Promise<ServiceError | undefined> {
  return (await isBeingSynced(db, id)) ? alreadySyncing() : undefined
}

/**
 * Has what a user sees at the code host looked up. Throws while that is under way. For users of this
 * machine there is nothing to look up, so it ends at once.
 */
export function requestUserSync(
  ctx: Context,
  { id, provider }: Pick<User, 'id' | 'provider'>,
  actor: Actor,
): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await beginUserSync(tx.db, id))) {
      throw alreadySyncing()
    }
    await audit(tx, actor, { action: 'sync', subject_type: 'user', subject_id: id })
    if (provider === 'local') await endUserSync(tx.db, id, tx.now())
    else tx.follow('user.sync', { user_id: id })
  })
}
