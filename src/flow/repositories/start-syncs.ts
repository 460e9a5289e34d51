import { beginUserSync, wantSyncAgain } from '../../store/people/user-syncs.ts'
import type { Transaction } from '../transact.ts'

/** Starts syncs of these users; a user whose sync is already in progress is synced once more. */
export async function startSyncs(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const user_id of userIds) {
    if (await beginUserSync(tx.db, user_id)) tx.follow('user.sync', { user_id })
    else await wantSyncAgain(tx.db, user_id)
  }
}
