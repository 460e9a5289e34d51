import type { TeamEvent } from '../../domain/event.ts'
import { membersOf } from '../../store/people/organizations.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { startSyncs } from '../repositories/start-syncs.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/**
 * Starts syncs of the users whose rights a change of a team may affect: the member who joined or left, else
 * all members of the organization, because the event does not name the team's members.
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
