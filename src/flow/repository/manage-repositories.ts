import type { RepositoryFacts } from '../../domain/event.ts'
import { updateRepository } from '../../store/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeRepository } from './refresh-repository.ts'

/**
 * Notes that an installation was given these repositories. Those that none had before are activated;
 * whoever deactivates one later is not overruled.
 */
export async function manageRepositories(
  { db, config }: Pick<Transaction, 'db' | 'config'>,
  installation: Pick<Installation, 'id'>,
  repositories: readonly RepositoryFacts[],
): Promise<void> {
  for (const facts of repositories) {
    const { id, managed_by_installation } = await storeRepository(db, facts)
    await updateRepository(db, id, {
      installation_id: installation.id,
      managed_by_installation: true,
      ...(!managed_by_installation && config.activateInstalled ? { active: true } : {}),
    })
  }
}

/** Notes that no installation has these any more. Their history is kept. */
export async function releaseRepositories(db: Database, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await updateRepository(db, id, {
      installation_id: null,
      managed_by_installation: false,
      active: false,
    })
  }
}
