import { mergeDelay, waitsBeforeStatus } from '../../domain/merge.ts'
import type { Request } from '../../domain/request/request.ts'
import { postponeRequest } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { announceRequest } from '../report/announce-commit.ts'
import { transact } from '../transact.ts'
import type { PullLookup } from './commit-lookup.ts'

/** Has the merge commit looked up again later. The request says so, and after a while a status. */
export async function waitForMerge(
  ctx: Context,
  request: Request,
  { waiting }: PullLookup['pull'],
): Promise<void> {
  const seconds = mergeDelay(request.waits)
  await transact(ctx, async (tx) => {
    if (!(await postponeRequest(tx.db, request, { seconds, message: waiting }))) return
    tx.follow('request.accept', { request_id: request.id }, seconds * 1000)
    if (request.waits === waitsBeforeStatus) await announceRequest(tx, request)
  })
}
