import type { PullRequest } from '../../domain/commit.ts'
import { requestsShownAt } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'
import { faultOf } from './check-fault.ts'
import { checkStream } from './streams.ts'

/**
 * For a pull request that leaves its head: has the check of another request about that commit posted
 * again, where it fails for what stood in the way of this one.
 */
export async function announceChecksBeside(
  tx: Transaction,
  repositoryId: number,
  { id, head_sha }: Pick<PullRequest, 'id' | 'head_sha'>,
): Promise<void> {
  const about = await requestsShownAt(tx.db, repositoryId, head_sha)
  const isAtFault = about.some((one) => one.pull_request_id === id && faultOf(one.checks))
  const other = about.findLast(
    (one) => one.pull_request_id !== id && !one.is_over && one.result === 'accepted',
  )
  if (!isAtFault || !other) return
  tx.announce('check:config', checkStream(repositoryId, head_sha), { request_id: other.id })
}
