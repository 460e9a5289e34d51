import { renewLease } from '../store/leases.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'

/** Renews the claim of a run. False when it is gone: stop the run and report nothing. */
export function renewClaim(ctx: Context, run: Run): Promise<boolean> {
  return renewLease(ctx.db, run)
}
