import type { RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { lockRepositories, updateRepository } from '../../store/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeSeenRepository } from './store-repository.ts'

/** Stores these repositories as they were seen then, and that they belong to an installation. */
export async function manageRepositories(
  tx: Pick<Transaction, 'db' | 'config'>,
  installation: Pick<Installation, 'id'>,
  repositories: readonly RepositoryFacts[],
  seen_at: Date,
): Promise<void> {
  const ids = repositories.map(({ codehost_id }) => codehost_id)
  const known = await lockRepositories(tx.db, 'codehost', ids)
  for (const facts of repositories) {
    const before = known.get(facts.codehost_id)
    const { repository, isNewer } = await storeSeenRepository(tx.db, facts, seen_at, before)
    if (!isNewer) await manageRepository(tx, installation, repository)
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
