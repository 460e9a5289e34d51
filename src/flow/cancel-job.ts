import type { Actor } from '../domain/audit.ts'
import type { Job } from '../domain/job/job.ts'
import { audit } from './audit.ts'
import { cancelInBuild } from './build/cancel-in-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Cancels a job at once; its runner notices when it next renews its claim. Undefined when the job has
 * finished already. `by` is null where the service itself cancels.
 */
export function cancelJob(ctx: Context, by: Actor | null, jobId: number): Promise<Job | undefined> {
  return transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, jobId)
    const [job] = build ? await cancelInBuild(tx, build, [jobId]) : []
    if (job && by) await audit(tx, by, { action: 'cancel', subject_type: 'job', subject_id: jobId })
    return job
  })
}
