import { beginUserSync, endUserSync, takeWantedSync } from '../../store/user-syncs.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** Ends the sync of a user. Whether the user is to be synced once more, which has begun then. */
export function endSync(ctx: Context, userId: number, isDone: boolean): Promise<boolean> {
  return transact(ctx, async (tx) => {
    await endUserSync(tx.db, userId, isDone ? tx.now() : null)
    const isWanted = await takeWantedSync(tx.db, userId)
    if (isWanted) await beginUserSync(tx.db, userId)
    return isWanted
  })
}
