import { CodehostError, type Rights } from '../../codehost/codehost.ts'
import type { User } from '../../domain/owner.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { noteAsked, type RightToAsk, rightsToAsk } from '../../store/people/asked-rights.ts'
import { setRole } from '../../store/people/permissions.ts'
import { findUser } from '../../store/people/users.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'

/** A user whose rights are queried as the app. */
interface Confirming {
  ctx: Context
  rights: Rights
  user: User & { codehost_id: number }
}

/**
 * Without a token of the user, the app queries which of their rights remain (D46). If the app is refused an
 * answer, the right stays, and the other rights are still queried. Builds need API calls as well: once half
 * of an hour's calls are used, the next sync continues with the rights that were queried longest ago.
 */
export async function confirmRoles(ctx: Context, userId: number): Promise<void> {
  const user = await findUser(ctx.db, userId)
  const { rights } = ctx.codehosts.codehost ?? {}
  if (!rights || !user || user.codehost_id === null) return
  const confirming = { ctx, rights, user: { ...user, codehost_id: user.codehost_id } }
  const failures: CodehostError[] = []
  let left = 0
  for (const right of await rightsToAsk(ctx.db, userId)) {
    const repository = await findRepository(ctx.db, { id: right.repository_id })
    if (repository?.provider !== 'codehost') continue
    if (rights.isSpent(atCodehost(ctx, repository).ref)) left += 1
    else failures.push(...(await confirmRole(confirming, repository, right)))
  }
  if (left > 0) ctx.log.info({ user_id: userId, left }, 'rights are left to the next sync')
  const passing = failures.find(({ temporary, suspended }) => temporary && !suspended)
  if (passing) throw passing
}

/** Confirms or updates a right; returns the error if that failed. */
async function confirmRole(
  { ctx, rights, user: { id, codehost_id, login } }: Confirming,
  repository: FoundRepository,
  right: RightToAsk,
): Promise<CodehostError[]> {
  const { ref } = atCodehost(ctx, repository)
  try {
    const changed = await rights.changed(ref, { codehost_id, login }, right.asked_etag)
    if (changed) await setRole(ctx.db, id, repository.id, changed.role)
    await noteAsked(ctx.db, id, { ...right, ...(changed ? { asked_etag: changed.etag } : {}) })
    return []
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    const about = { user_id: id, repository: slugOf(repository) }
    ctx.log.warn({ ...about, err: error }, 'a right could not be confirmed')
    // Rights that can be queried come before this one the next time.
    if (!error.temporary || error.suspended) await noteAsked(ctx.db, id, right)
    return [error]
  }
}
