import { mergeDelay, waitsBeforeStatus } from '../../domain/merge.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { statusKindsOf } from '../../domain/status.ts'
import { postponeRequest, wasShownBefore } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { announceStatus } from '../report/announce-status.ts'
import { transact } from '../transact.ts'
import type { PullLookup } from './commit-lookup.ts'

/**
 * Has the merge commit looked up again later. The request says so, and after a while a status; at once
 * where the head still shows the result for another base.
 */
export async function waitForMerge(
  ctx: Context,
  repository: Repository,
  request: Request,
  { head, waiting }: PullLookup['pull'],
): Promise<void> {
  const seconds = mergeDelay(request.waits)
  await transact(ctx, async (tx) => {
    if (!(await postponeRequest(tx.db, request, { seconds, message: waiting }))) return
    tx.follow('request.accept', { request_id: request.id }, seconds * 1000)
    const isFirst = request.waits === 0 && (await wasShownBefore(tx.db, request))
    if (request.waits !== waitsBeforeStatus && !isFirst) return
    const to = { repository_id: repository.id, sha: head, kinds: statusKindsOf(request) }
    announceStatus(tx, 'status:waiting', to, { request_id: request.id })
  })
}
