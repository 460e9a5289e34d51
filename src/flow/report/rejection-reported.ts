import type { Check } from '../../domain/request/check.ts'
import {
  hasFaultyCondition,
  isSkippedOnPurpose,
  type Rejection,
} from '../../domain/request/decision.ts'
import { queuedPullNumber } from '../../domain/request/merge-queue.ts'
import { waitsBeforeStatus } from '../../domain/merge.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Context } from '../context.ts'

/**
 * Whether a rejection sets a status: where no build was wanted, unless that is turned off (NT-08),
 * where a newer head is built instead, where a condition cannot be read (D38), where the service could
 * not decide, and where a pending status would stay forever or a merge queue wait in vain.
 */
export function isRejectionReported(
  { config }: Pick<Context, 'config'>,
  { waits, ref }: Pick<Request, 'waits' | 'ref'>,
  { reason }: Pick<Rejection, 'reason'>,
  checks: readonly Check[],
): boolean {
  if (reason === 'head_moved' || reason === 'internal_error') return true
  if (waits > waitsBeforeStatus) return true
  if (queuedPullNumber(ref) !== null) return reason !== 'left_merge_queue'
  if (hasFaultyCondition(checks)) return true
  return config.statusForSkipped && isSkippedOnPurpose(reason)
}
