import { endUserSync } from '../store/user-syncs.ts'
import type { Context } from './context.ts'

/** Ends a user's sync after its last attempt has failed; the user can request the next one. */
export function giveUpUserSync({ db }: Context, userId: number): Promise<void> {
  return endUserSync(db, userId, null)
}
