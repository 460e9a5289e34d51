import { usersToSync } from '../store/user-syncs.ts'
import type { Context } from './context.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact } from './transact.ts'

/** How often each user is looked up who has logged in, in seconds. */
const every = 24 * 60 * 60
/** No more of them begin at once: each is read with a limit of its own, but by this one machine. */
const mostAtOnce = 100

/** Looks up users whose last sync began a day ago, since events may be lost or not subscribed to. */
export async function syncDueUsers(ctx: Context): Promise<void> {
  await transact(ctx, async (tx) => startSyncs(tx, await usersToSync(tx.db, every, mostAtOnce)))
}
