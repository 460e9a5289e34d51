import { archivedText } from '../../domain/archived.ts'
import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import { findRepository } from '../../store/repositories.ts'
import type { Transaction } from '../transact.ts'

type InRepository = Pick<Build, 'repository_id'>

/** Why nothing that belongs to a repository runs: it is archived. Undefined for any other. */
export async function archivedReason(
  { db, config }: Pick<Transaction, 'db' | 'config'>,
  { repository_id }: InRepository,
): Promise<string | undefined> {
  const repository = await findRepository(db, { id: repository_id })
  if (!repository || repository.archived_at === null) return undefined
  return archivedText(repository, config)
}

/** Throws where a build is to run again whose repository is archived by now: it could not be reported. */
export async function refuseOfArchived(
  tx: Pick<Transaction, 'db' | 'config'>,
  build: InRepository,
): Promise<void> {
  const reason = await archivedReason(tx, build)
  if (reason !== undefined) throw unrestartable(reason)
}
