import type { OwnedRepository } from '../../codehost/codehost.ts'
import { findInstallation } from '../../store/installations/installations.ts'
import { lockRepositories } from '../../store/repositories/locked-repositories.ts'
import { findKnownRepositories } from '../../store/repositories/repositories.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { SyncEntry } from '../../store/tables.ts'
import { manageRepository } from '../repositories/manage-repositories.ts'
import { isAsDescribed, storeSeenRepository } from '../repositories/store-repository.ts'
import type { Transaction } from '../transact.ts'

interface Seen {
  /** Its id at the code host. */
  installation: number
  repositories: readonly OwnedRepository[]
  seen_at: Date
}

/**
 * Stores an installation's repositories that a user sees, unless they are already stored in the same way,
 * and returns their ids with the user's roles.
 */
export async function storeSeenRepositories(
  tx: Transaction,
  { installation: number, repositories, seen_at }: Seen,
): Promise<SyncEntry[]> {
  await holdLock(tx.db, `installation:${number}`)
  const installation = await findInstallation(tx.db, { codehost_id: number })
  if (!installation || installation.removed_at !== null) return []
  const ids = repositories.map(({ facts }) => facts.codehost_id)
  const stored = await lockRepositories(
    tx.db,
    'codehost',
    repositories.map(({ facts }) => facts),
  )
  const found = await findKnownRepositories(tx.db, 'codehost', ids)
  const known = new Map(found.map((each) => [each.codehost_id, each]))
  const entries: SyncEntry[] = []
  for (const { facts, role } of repositories) {
    const old = known.get(facts.codehost_id)
    const isManaged =
      old?.managed_by_installation === true && old.installation_id === installation.id
    const isUnchanged = old !== undefined && isManaged && isAsDescribed(old, facts)
    const { repository, isNewer } = isUnchanged
      ? { repository: old, isNewer: false }
      : await storeSeenRepository(tx.db, facts, seen_at, stored.get(facts.codehost_id))
    if (!isManaged && !isNewer) await manageRepository(tx, installation, repository)
    entries.push({ id: repository.id, role: role.admin ? 'admin' : role.push ? 'push' : 'pull' })
  }
  return entries
}
