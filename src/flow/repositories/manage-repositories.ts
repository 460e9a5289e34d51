import type { RepositoryFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { lockRepositories } from '../../store/repositories/locked-repositories.ts'
import { updateRepository } from '../../store/repositories/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeSeenRepository } from './store-repository.ts'

/** Stores these repositories as seen at `seen_at`, and that they belong to an installation. */
export async function manageRepositories(
  tx: Pick<Transaction, 'db' | 'config'>,
  installation: Pick<Installation, 'id'>,
  repositories: readonly RepositoryFacts[],
  seen_at: Date,
): Promise<void> {
  const known = await lockRepositories(tx.db, 'codehost', repositories)
  for (const facts of repositories) {
    const before = known.get(facts.codehost_id)
    const { repository, isNewer } = await storeSeenRepository(tx.db, facts, seen_at, before)
    if (!isNewer) await manageRepository(tx, installation, repository)
  }
}

/**
 * Stores that a repository belongs to an installation. A repository that belonged to none before is
 * activated, if so configured; a repository that a user deactivates later stays inactive.
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

/** Stores that these repositories no longer belong to an installation. Their history is kept. */
export async function releaseRepositories(db: Database, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await updateRepository(db, id, {
      installation_id: null,
      managed_by_installation: false,
      active: false,
    })
  }
}
