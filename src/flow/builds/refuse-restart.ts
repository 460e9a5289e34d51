import { archivedText } from '../../domain/archived.ts'
import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import { blockedSenderOf } from '../../store/people/blocked-senders.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { ofBlockedText } from '../../texts/blocked-text.ts'
import type { Transaction } from '../transact.ts'

type InRepository = Pick<Build, 'repository_id'>

/** Why no job of a repository runs while it is archived; undefined if it is not archived. */
export async function archivedReason(
  { db, config }: Pick<Transaction, 'db' | 'config'>,
  { repository_id }: InRepository,
): Promise<string | undefined> {
  const repository = await findRepository(db, { id: repository_id })
  if (!repository || repository.archived_at === null) return undefined
  return archivedText(repository, config)
}

/** Throws if the repository of a build to restart is archived: the build could not be reported. */
export async function refuseOfArchived(
  tx: Pick<Transaction, 'db' | 'config'>,
  build: InRepository,
): Promise<void> {
  const reason = await archivedReason(tx, build)
  if (reason !== undefined) throw unrestartable(reason)
}

/** Throws if a blocked user caused the request of a build to restart. */
export async function refuseOfBlocked(
  { db }: Pick<Transaction, 'db'>,
  { request_id }: Pick<Build, 'request_id'>,
): Promise<void> {
  const login = await blockedSenderOf(db, request_id)
  if (login !== undefined) throw unrestartable(ofBlockedText(login))
}
