import { CodehostError } from '../../codehost/codehost.ts'
import type { User } from '../../domain/owner.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { rolesOfUser, setRole } from '../../store/permissions.ts'
import { findRepository } from '../../store/repositories.ts'
import { findUser } from '../../store/users.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'

/**
 * Without a token of the user it is asked as the app what they may still do (D46). Where the app is shown
 * nothing, the right stays, and the others are asked all the same.
 */
export async function confirmRoles(ctx: Context, userId: number): Promise<void> {
  const user = await findUser(ctx.db, userId)
  if (!ctx.codehosts.codehost || !user) return
  const failures: CodehostError[] = []
  for (const { repository_id } of await rolesOfUser(ctx.db, userId)) {
    const repository = await findRepository(ctx.db, { id: repository_id })
    if (repository?.provider !== 'codehost') continue
    try {
      await confirmRole(ctx, user, repository)
    } catch (error) {
      if (!(error instanceof CodehostError)) throw error
      failures.push(error)
      const about = { user_id: userId, repository: slugOf(repository) }
      ctx.log.warn({ ...about, err: error }, 'a right could not be confirmed')
      // Nor can any other one there.
      if (error.kind === 'limited') break
    }
  }
  const passing = failures.find(({ temporary, suspended }) => temporary && !suspended)
  if (passing) throw passing
}

async function confirmRole(
  ctx: Context,
  { id, codehost_id, login }: User,
  repository: FoundRepository,
): Promise<void> {
  if (codehost_id === null) return
  const { codehost, ref } = atCodehost(ctx, repository)
  await setRole(ctx.db, id, repository.id, await codehost.role(ref, { codehost_id, login }))
}
