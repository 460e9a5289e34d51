import { renewLease } from '../store/leases.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'

/** Says that the run goes on. False when the job was taken away: stop it and report nothing. */
export function renewClaim(ctx: Context, run: Run): Promise<boolean> {
  return renewLease(ctx.db, run, ctx.now())
}
