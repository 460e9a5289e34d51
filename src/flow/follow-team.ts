import type { TeamEvent } from '../domain/event.ts'
import { membersOf } from '../store/organizations.ts'
import { findUserByCodehostId } from '../store/users.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact } from './transact.ts'

/**
 * Has those looked up again whose rights a team may have changed: the one who came or left, else all
 * members of its organization, since the event does not name those of the team.
 */
export function followTeam(ctx: Context, event: TeamEvent): Promise<EventOutcome> {
  const { team, organization, member } = event
  return transact(ctx, async (tx): Promise<EventOutcome> => {
    const user = member && (await findUserByCodehostId(tx.db, 'codehost', member.codehost_id))
    if (member && !user) return { ignored: `${member.login} is not known here` }
    const ids = user ? [user.id] : await membersOf(tx.db, 'codehost', organization.codehost_id)
    await startSyncs(tx, ids)
    const who = ids.length === 1 ? '1 user is' : `${ids.length} users are`
    return { noted: `team ${team} of ${organization.login} has changed: ${who} looked up again` }
  })
}
