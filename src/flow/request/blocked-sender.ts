import { CodehostError } from '../../codehost/codehost.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { blockedAt } from '../../store/users.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'

/** Of more blocked users than this, one is taken for able to push. */
const mostAsked = 20

/**
 * Whether someone who is blocked here may have sent a push of which no one knows who did: one of them can push to
 * the repository. Who made the commit is no evidence, since everyone can write any name into it
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

/** What the code host refuses to tell counts as yes. */
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
