import type { PullRequest } from '../../domain/commit.ts'
import { buildsOfEarlierHeads, buildsToApprove, endApprovals } from '../../store/approvals.ts'
import type { Transaction } from '../transact.ts'
import { cancelUnapproved } from './cancel-unapproved.ts'

/**
 * Ends what a fork's earlier heads were allowed: their approvals are forgotten, and jobs that did not
 * start are canceled, so that nothing of them runs from now on (D35). The caller holds the pull
 * request, which has its new head already.
 */
export async function endEarlierHeads(
  tx: Transaction,
  pull: Pick<PullRequest, 'id' | 'head_sha' | 'base_ref'>,
): Promise<void> {
  const ids = await buildsOfEarlierHeads(tx.db, pull)
  await endApprovals(tx.db, pull)
  for (const id of ids) await cancelUnapproved(tx, id)
}

/** Cancels what waits for an approval of a pull request that is closed: it is built anew when it is reopened. */
export async function endUnapproved(
  tx: Transaction,
  { id, head_sha }: Pick<PullRequest, 'id' | 'head_sha'>,
): Promise<void> {
  const waiting = await buildsToApprove(tx.db, { pull_request_id: id, head_commit: head_sha })
  for (const build of waiting) await cancelUnapproved(tx, build)
}
