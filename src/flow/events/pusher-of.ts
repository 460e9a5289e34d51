import type { Actor } from '../../domain/audit.ts'
import type { SenderFacts } from '../../domain/event.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { putUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'

/**
 * The sender of an event, if they can push to the repository. The role is fetched from the code host,
 * because stored permissions may be older. For other senders, bots and blocked users: the reason.
 */
export async function pusherOf(
  ctx: Context,
  repository: FoundRepository,
  { codehost_id, login }: SenderFacts,
): Promise<Actor | { ignored: string }> {
  if (codehost_id === null)
    return { ignored: `${login} is a bot: only users with push access can do this` }
  const { codehost, ref } = atCodehost(ctx, repository)
  const role = await codehost.role(ref, { codehost_id, login })
  if (!role?.push) return { ignored: `${login} cannot push to ${slugOf(repository)}` }
  const { provider } = repository
  const user = await putUser(ctx.db, { provider, codehost_id, login })
  if (user.blocked_at !== null) return { ignored: `${login} is blocked here by an administrator` }
  return { user, token_id: null, address: 'code host' }
}
