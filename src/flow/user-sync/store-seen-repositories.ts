import type { OwnedRepository } from '../../codehost/codehost.ts'
import { findInstallation } from '../../store/installations.ts'
import { holdLock } from '../../store/locks.ts'
import { findKnownRepositories, lockRepositories } from '../../store/repositories.ts'
import type { SyncEntry } from '../../store/tables.ts'
import { manageRepository } from '../repository/manage-repositories.ts'
import { isAsDescribed, storeSeenRepository } from '../repository/store-repository.ts'
import type { Transaction } from '../transact.ts'

interface Seen {
  /** The code host's number. */
  installation: number
  repositories: readonly OwnedRepository[]
  seen_at: Date
}

/**
 * Stores repositories of an installation that a user sees, as far as they are not known like that, and
 * returns their ids with the user's roles.
 */
export async function storeSeenRepositories(
  tx: Transaction,
  { installation: number, repositories, seen_at }: Seen,
): Promise<SyncEntry[]> {
  await holdLock(tx.db, `installation:${number}`)
  const installation = await findInstallation(tx.db, { codehost_id: number })
  if (!installation || installation.removed_at !== null) return []
  const ids = repositories.map(({ facts }) => facts.codehost_id)
  const stored = await lockRepositories(tx.db, 'codehost', ids)
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
