import type { RepositoryFacts } from '../../domain/event.ts'
import { updateRepository } from '../../store/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeRepository } from './refresh-repository.ts'

/**
 * Stores that these repositories belong to an installation. Those that belonged to none before are
 * activated; one that a user deactivates later stays inactive.
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

/** Stores that these repositories belong to no installation any more. Their history is kept. */
export async function releaseRepositories(db: Database, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await updateRepository(db, id, {
      installation_id: null,
      managed_by_installation: false,
      active: false,
    })
  }
}
