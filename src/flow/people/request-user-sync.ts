import type { Actor } from '../../domain/audit.ts'
import { conflictTexts, ServiceError } from '../../domain/errors.ts'
import type { User } from '../../domain/owner.ts'
import {
  beginUserSync,
  endUserSync,
  isBeingSynced,
  usersToSync,
  takeWantedSync,
} from '../../store/people/user-syncs.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { startSyncs } from '../repositories/start-syncs.ts'
import { transact } from '../transact.ts'

const alreadySyncing = () => new ServiceError('already_syncing', conflictTexts.already_syncing)

/** Why a user cannot be synced now; undefined if that is possible. */
export async function refusalOfUserSync(
  { db }: Context,
  { id }: Pick<User, 'id'>,
): Promise<ServiceError | undefined> {
  return (await isBeingSynced(db, id)) ? alreadySyncing() : undefined
}

/**
 * Requests a sync of what a user sees at the code host. Throws while a sync is in progress. For users of
 * this machine there is nothing to sync, so it ends immediately.
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

/**
 * Ends a user's sync after its last attempt has failed; the user can request the next one. A sync that
 * was requested in the meantime begins now.
 */
export async function giveUpUserSync(ctx: Context, userId: number): Promise<void> {
  if (await endSync(ctx, userId, false)) await ctx.enqueue('user.sync', { user_id: userId })
}

/** Seconds between syncs of each user who has logged in. */
const every = 24 * 60 * 60
/** Syncs that begin at once: each user has a separate rate limit, but this one machine reads them all. */
const mostAtOnce = 100

/** Syncs users whose last sync began a day ago, because events may be lost or not subscribed to. */
export async function syncDueUsers(ctx: Context): Promise<void> {
  await transact(ctx, async (tx) => startSyncs(tx, await usersToSync(tx.db, every, mostAtOnce)))
}

/** Ends the sync of a user; returns whether another one was wanted, which has then begun. */
export function endSync(ctx: Context, userId: number, isDone: boolean): Promise<boolean> {
  return transact(ctx, async (tx) => {
    await endUserSync(tx.db, userId, isDone ? tx.now() : null)
    const isWanted = await takeWantedSync(tx.db, userId)
    if (isWanted) await beginUserSync(tx.db, userId)
    return isWanted
  })
}
