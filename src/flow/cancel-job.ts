import { type Job, unfinished } from '../domain/job.ts'
import { moveJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import { deriveBuild } from './build/derive-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Cancels a job at once; its runner notices when it next renews its claim. Undefined when the job has
 * finished already.
 */
export function cancelJob(ctx: Context, jobId: number): Promise<Job | undefined> {
  return transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, jobId)
    if (!build) return
    const now = tx.now()
    const job = await moveJob(tx.db, { id: jobId }, unfinished, {
      state: 'canceled',
      canceled_at: now,
      finished_at: now,
    })
    if (!job) return
    await endLeases(tx.db, [job.id])
    await deriveBuild(tx, build)
    tx.follow('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
    return job
  })
}
