import type { InstallationFacts } from '../../domain/installation.ts'
import { putInstallation } from '../../store/installations.ts'
import type { Database, Installation } from '../../store/tables.ts'
import type { Context } from '../context.ts'
import { storeOwner } from './store-owner.ts'

/** Stores an installation and its owner as the code host tells of them. */
export async function storeInstallation(
  { now }: Pick<Context, 'now'>,
  tx: Database,
  { account, suspended, ...facts }: InstallationFacts,
  added_by_id?: number,
): Promise<Installation> {
  return putInstallation(tx, {
    ...facts,
    ...(await storeOwner(tx, 'codehost', account)),
    suspended_at: suspended ? now() : null,
    ...(added_by_id === undefined ? {} : { added_by_id }),
  })
}
