import type { RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { putPermission } from '../../store/people/permissions.ts'
import { putUser } from '../../store/people/users.ts'
import { updateRepository } from '../../store/repositories/repositories.ts'
import type { Context } from '../context.ts'
import { storeRepository } from './store-repository.ts'

/**
 * Stores a repository of the local code host as active, with this user as its admin.
 * Registering it again only updates the data of the code host.
 */
export function registerRepository(
  { db }: Pick<Context, 'db'>,
  facts: RepositoryFacts,
  admin: { codehost_id: number; login: string },
): Promise<Repository> {
  return db.transaction().execute(async (tx) => {
    const user = await putUser(tx, { ...admin, provider: facts.provider })
    const repository = await storeRepository(tx, facts)
    await updateRepository(tx, repository.id, { active: true })
    await putPermission(tx, {
      user_id: user.id,
      repository_id: repository.id,
      pull: true,
      push: true,
      admin: true,
    })
    return { ...repository, active: true }
  })
}
