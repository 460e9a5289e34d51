import type { OwnedRepository } from '../../codehost/codehost.ts'
import { findInstallation } from '../../store/installations.ts'
import { holdLock } from '../../store/locks.ts'
import { findKnownRepositories } from '../../store/repositories.ts'
import type { SyncEntry } from '../../store/tables.ts'
import { manageRepository } from '../repository/manage-repositories.ts'
import { isAsDescribed, storeRepository } from '../repository/refresh-repository.ts'
import type { Transaction } from '../transact.ts'

/**
 * Stores repositories of an installation that a user sees, as far as they are not known like that, and
 * returns their ids with the user's roles.
 */
export async function storeSeenRepositories(
  tx: Transaction,
  installationNumber: number,
  seen: readonly OwnedRepository[],
): Promise<SyncEntry[]> {
  await holdLock(tx.db, `installation:${installationNumber}`)
  const installation = await findInstallation(tx.db, { codehost_id: installationNumber })
  if (!installation) return []
  const ids = seen.map(({ facts }) => facts.codehost_id)
  const found = await findKnownRepositories(tx.db, 'codehost', ids)
  const known = new Map(found.map((each) => [each.codehost_id, each]))
  const entries: SyncEntry[] = []
  for (const { facts, role } of seen) {
    const old = known.get(facts.codehost_id)
    const isManaged =
      old?.managed_by_installation === true && old.installation_id === installation.id
    const isUnchanged = old !== undefined && isManaged && isAsDescribed(old, facts)
    const stored = isUnchanged ? old : await storeRepository(tx.db, facts)
    if (!isManaged) await manageRepository(tx, installation, stored)
    entries.push({ id: stored.id, role: role.admin ? 'admin' : role.push ? 'push' : 'pull' })
  }
  return entries
}
