import { skippedAt } from '../../domain/request/contested.ts'
import type { Request } from '../../domain/request/request.ts'
import { statusKinds } from '../../domain/status.ts'
import { holdLock } from '../../store/locks.ts'
import { requestsShownAt } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'
import { announceStatus } from './announce-status.ts'

/**
 * Lets no other request about a commit be rejected for the rest of the transaction: of two at once, each
 * would hold its status back for the other. To be called before a request is locked.
 */
export function holdStatuses(
  { db }: Pick<Transaction, 'db'>,
  repositoryId: number,
  sha: string,
): Promise<void> {
  return holdLock(db, `statuses:${repositoryId}:${sha}`)
}

/**
 * For a request that ends without a status of its own: announces what the commit shows of others that
 * are skipped on purpose, which was held back while this one could come to have a result.
 */
export async function announceHeldBack(
  tx: Transaction,
  { repository_id }: Pick<Request, 'repository_id'>,
  sha: string,
): Promise<void> {
  if (!tx.config.statusForSkipped) return
  const about = await requestsShownAt(tx.db, repository_id, sha)
  for (const kind of statusKinds) {
    const skipped = skippedAt(about, kind)
    if (!skipped) continue
    const to = { repository_id, sha, kinds: [kind] }
    announceStatus(tx, 'status:skipped', to, { request_id: skipped.id })
  }
}
