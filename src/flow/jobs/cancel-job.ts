import type { Actor } from '../../domain/audit.ts'
import { type Cancellation, canceledBy } from '../../domain/job/cancellation.ts'
import type { Job } from '../../domain/job/job.ts'
import { audit } from '../audit.ts'
import { cancelInBuild } from '../builds/cancel-in-build.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/**
 * Cancels a job immediately; its runner notices when it next renews its claim. Undefined if the job has
 * already finished. `by` is an actor, or the reason why the service itself cancels.
 */
export function cancelJob(
  ctx: Context,
  by: Actor | Cancellation,
  jobId: number,
): Promise<Job | undefined> {
  return transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, jobId)
    const cancellation = 'user' in by ? canceledBy(by) : by
    const [job] = build ? await cancelInBuild(tx, build, [jobId], cancellation) : []
    if (job && 'user' in by) {
      await audit(tx, by, { action: 'cancel', subject_type: 'job', subject_id: jobId })
    }
    return job
  })
}
