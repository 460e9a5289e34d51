import type { MemberEvent } from '../../domain/event.ts'
import { slugOf } from '../../domain/repository.ts'
import { setRole } from '../../store/people/permissions.ts'
import { syncingUser, wantSyncAgain } from '../../store/people/user-syncs.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/**
 * Stores a user's role in a repository. The event only reports that it has changed: a removed user may
 * still have access through a team or an organization, so the role is fetched from the code host.
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
    // A sync in progress may have read the former role.
    if (await syncingUser(db, user.id)) await wantSyncAgain(db, user.id)
  })
  return { noted: `the rights of ${member.login} on ${slugOf(repository)} were refreshed` }
}
