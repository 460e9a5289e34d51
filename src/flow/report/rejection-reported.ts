import { isSkippedOnPurpose } from '../../domain/decision.ts'
import { waitsBeforeStatus } from '../../domain/merge.ts'
import type { RejectionReason, Request } from '../../domain/request.ts'
import type { Context } from '../context.ts'

/**
 * Whether a rejection sets a status: where no build was wanted, unless that is turned off (NT-08),
 * where a newer head is built instead, and where a pending status would stay forever.
 */
export function isRejectionReported(
  { config }: Pick<Context, 'config'>,
  { waits }: Pick<Request, 'waits'>,
  reason: RejectionReason,
): boolean {
  if (reason === 'head_moved' || waits > waitsBeforeStatus) return true
  return config.statusForSkipped && isSkippedOnPurpose(reason)
}
