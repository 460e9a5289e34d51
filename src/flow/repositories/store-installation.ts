import type { InstallationFacts } from '../../domain/installation.ts'
import {
  findInstallation,
  putInstallation,
  updateInstallation,
} from '../../store/installations/installations.ts'
import { managedRepositories } from '../../store/repositories/repositories.ts'
import type { Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { releaseRepositories } from './manage-repositories.ts'
import { storeOwner } from './store-owner.ts'

interface Seen {
  seen_at: Date
  added_by_id?: number | undefined
}

/**
 * Stores an installation and its owner as the code host described them at `seen_at`; newer stored data
 * stays. The caller holds the installation's lock.
 */
export async function storeInstallation(
  { db, now }: Pick<Transaction, 'db' | 'now'>,
  { account, suspended, ...facts }: InstallationFacts,
  { seen_at, added_by_id }: Seen,
): Promise<Installation> {
  const known = await findInstallation(db, facts)
  if (known && known.updated_at > seen_at) return known
  return putInstallation(db, {
    ...facts,
    ...(await storeOwner(db, 'codehost', account)),
    suspended_at: suspended ? (known?.suspended_at ?? now()) : null,
    ...(added_by_id === undefined ? {} : { added_by_id }),
  })
}

/** Stores that an installation is gone; returns the ids of its repositories. */
export async function removeInstallation(
  { db, now }: Pick<Transaction, 'db' | 'now'>,
  codehost_id: number,
  removed_by_id: number | null,
): Promise<number[]> {
  const installation = await findInstallation(db, { codehost_id })
  if (!installation || installation.removed_at !== null) return []
  await updateInstallation(db, installation.id, { removed_at: now(), removed_by_id })
  const ids = (await managedRepositories(db, installation.id)).map(({ id }) => id)
  await releaseRepositories(db, ids)
  return ids
}
