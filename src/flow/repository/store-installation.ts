import type { InstallationFacts } from '../../domain/installation.ts'
import { putInstallation } from '../../store/installations.ts'
import type { Installation } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { storeOwner } from './store-owner.ts'

/** Stores an installation and its owner as the code host describes them. */
export async function storeInstallation(
  { db, now }: Pick<Transaction, 'db' | 'now'>,
  { account, suspended, ...facts }: InstallationFacts,
  added_by_id?: number,
): Promise<Installation> {
  return putInstallation(db, {
    ...facts,
    ...(await storeOwner(db, 'codehost', account)),
    suspended_at: suspended ? now() : null,
    ...(added_by_id === undefined ? {} : { added_by_id }),
  })
}
