import type { RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { updateRepository } from '../../store/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeRepository } from './refresh-repository.ts'

/** Stores these repositories, and that they belong to an installation. */
export async function manageRepositories(
  tx: Pick<Transaction, 'db' | 'config'>,
  installation: Pick<Installation, 'id'>,
  repositories: readonly RepositoryFacts[],
): Promise<void> {
  for (const facts of repositories) {
    await manageRepository(tx, installation, await storeRepository(tx.db, facts))
  }
}

/**
 * Stores that a repository belongs to an installation. One that belonged to none before is
 * activated; one that a user deactivates later stays inactive.
 */
export async function manageRepository(
  { db, config }: Pick<Transaction, 'db' | 'config'>,
  installation: Pick<Installation, 'id'>,
  { id, managed_by_installation }: Repository,
): Promise<void> {
  await updateRepository(db, id, {
    installation_id: installation.id,
    managed_by_installation: true,
    ...(!managed_by_installation && config.activateInstalled ? { active: true } : {}),
  })
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
