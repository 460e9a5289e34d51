import { beginUserSync, wantSyncAgain } from '../../store/user-syncs.ts'
import type { Transaction } from '../transact.ts'

/** Has these users looked up at the code host; once more those of whom that is under way already. */
export async function startSyncs(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const user_id of userIds) {
    if (await beginUserSync(tx.db, user_id)) tx.follow('user.sync', { user_id })
    else await wantSyncAgain(tx.db, user_id)
  }
}
