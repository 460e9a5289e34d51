import type { AuthorizationEvent } from '../../domain/event.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { startSyncs } from '../repositories/start-syncs.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/**
 * Starts a sync of a user who has revoked the app's authorization: the code host refuses the stored token,
 * which is then dropped. If the user has logged in again since, the stored token is a new one and stays.
 */
export function followAuthorization(
  ctx: Context,
  { sender: { codehost_id, login } }: AuthorizationEvent,
): Promise<EventOutcome> {
  return transact(ctx, async (tx): Promise<EventOutcome> => {
    const user = codehost_id && (await findUserByCodehostId(tx.db, 'codehost', codehost_id))
    if (!user) return { ignored: `${login} is not known here` }
    await startSyncs(tx, [user.id])
    return { noted: `${login} has revoked the authorization of the app` }
  })
}
