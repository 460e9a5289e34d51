import { skippedAt } from '../../domain/request/contested.ts'
import type { Request } from '../../domain/request/request.ts'
import { statusKinds } from '../../domain/status.ts'
import { findBuildOfRequest } from '../../store/builds.ts'
import { holdLock } from '../../store/locks.ts'
import { requestsShownAt } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from '../build/announce-build.ts'
import { announceStatus } from './announce-status.ts'
import { awaitsApproval } from './post-status.ts'

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
 * wait for approval or are skipped on purpose, which was held back while this one could come to have a
 * result.
 */
export async function announceHeldBack(
  tx: Transaction,
  { repository_id }: Pick<Request, 'repository_id'>,
  sha: string,
): Promise<void> {
  const about = await requestsShownAt(tx.db, repository_id, sha)
  for (const { id, result, is_over } of about) {
    const build =
      result === 'accepted' && !is_over ? await findBuildOfRequest(tx.db, id) : undefined
    if (build && awaitsApproval(build, build.state)) return announceBuild(tx, build)
  }
  if (!tx.config.statusForSkipped) return
  for (const kind of statusKinds) {
    const skipped = skippedAt(about, kind)
    if (!skipped) continue
    const to = { repository_id, sha, kinds: [kind] }
    announceStatus(tx, 'status:skipped', to, { request_id: skipped.id })
  }
}
