import type { Actor } from '../../domain/audit.ts'
import type { SenderFacts } from '../../domain/event.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import { putUser } from '../../store/users.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'

/**
 * Who sent an event, if they can push to the repository: the code host is asked, since what is stored
 * of people here may be older. Undefined for all others, for bots, and for users who are blocked here.
 */
export async function pusherOf(
  ctx: Context,
  repository: FoundRepository,
  { codehost_id, login }: SenderFacts,
): Promise<Actor | undefined> {
  if (codehost_id === null) return
  const { codehost, ref } = atCodehost(ctx, repository)
  const role = await codehost.role(ref, login)
  if (!role?.push) return
  const { provider } = repository
  const user = await putUser(ctx.db, { provider, codehost_id, login })
  return user.blocked_at === null ? { user, token_id: null, address: 'code host' } : undefined
}
