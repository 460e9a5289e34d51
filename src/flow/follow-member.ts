import type { MemberEvent } from '../domain/event.ts'
import { slugOf } from '../domain/repository.ts'
import { setRole } from '../store/permissions.ts'
import { findRepository } from '../store/repositories.ts'
import { syncingUser, wantSyncAgain } from '../store/user-syncs.ts'
import { findUserByCodehostId } from '../store/users.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { atCodehost } from './repository/at-codehost.ts'
import { transact } from './transact.ts'

/**
 * Stores what a user may do with a repository. The event only says that this has changed: whoever is
 * removed may still have a right by a team or an organization, so the code host is asked.
 */
export async function followMember(
  ctx: Context,
  { member, repository: { provider, codehost_id, name } }: MemberEvent,
): Promise<EventOutcome> {
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return { ignored: `repository ${name} is unknown here` }
  const user = await findUserByCodehostId(ctx.db, provider, member.codehost_id)
  if (!user) return { ignored: `${member.login} is not known here` }
  const { codehost, ref } = atCodehost(ctx, repository)
  const role = await codehost.role(ref, member)
  await transact(ctx, async ({ db }) => {
    await setRole(db, user.id, repository.id, role)
    // A sync that is under way may have read what was before.
    if (await syncingUser(db, user.id)) await wantSyncAgain(db, user.id)
  })
  return { noted: `the rights of ${member.login} on ${slugOf(repository)} were looked up` }
}
