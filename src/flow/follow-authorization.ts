import type { AuthorizationEvent } from '../domain/event.ts'
import { findUserByCodehostId } from '../store/users.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact } from './transact.ts'

/**
 * Has a user looked up again who has withdrawn what the app was allowed: the token that is kept of them
 * is refused then, and dropped. Where they have logged in again meanwhile it is another one, and stays.
 */
export function followAuthorization(
  ctx: Context,
  { sender: { codehost_id, login } }: AuthorizationEvent,
): Promise<EventOutcome> {
  return transact(ctx, async (tx): Promise<EventOutcome> => {
    const user = codehost_id && (await findUserByCodehostId(tx.db, 'codehost', codehost_id))
    if (!user) return { ignored: `${login} is not known here` }
    await startSyncs(tx, [user.id])
    return { noted: `${login} lets the app read nothing for them any more` }
  })
}
