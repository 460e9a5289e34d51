import { CodehostError } from '../../codehost/codehost.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { blockedAt } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'

/** With more blocked users than this, one of them is assumed to have push access. */
const mostAsked = 20

/**
 * Whether a blocked user may have sent a push whose sender is unknown: at least one of them can push to the
 * repository. The commit's author proves nothing, because anyone can write any name into a commit
 * (`docs/decisions/027`).
 */
export async function mayBeOfBlocked(
  ctx: Context,
  repository: FoundRepository,
  { event_type, sender_login }: Pick<Request, 'event_type' | 'sender_login'>,
): Promise<boolean> {
  if (event_type !== 'push' || sender_login !== '') return false
  const blocked = await blockedAt(ctx.db, repository.provider, mostAsked + 1)
  if (blocked.length > mostAsked) return true
  for (const user of blocked) if (await canPush(ctx, repository, user)) return true
  return false
}

/** Whether a user can push; true if the code host refuses to show the role. */
async function canPush(
  ctx: Context,
  repository: FoundRepository,
  user: { codehost_id: number; login: string },
): Promise<boolean> {
  try {
    const { codehost, ref } = atCodehost(ctx, repository)
    return (await codehost.role(ref, user))?.push === true
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return true
    throw error
  }
}
