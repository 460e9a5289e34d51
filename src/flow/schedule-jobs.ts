import { isolates } from '../domain/isolation.ts'
import type { OwnerRef } from '../domain/owner.ts'
import { schedule } from '../domain/scheduling.ts'
import { queueJob, schedulableJobs, setChecks } from '../store/jobs.ts'
import { holdLock } from '../store/locks.ts'
import { liveRunners } from '../store/runners.ts'
import { jobLimitsOf } from '../store/settings.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Enqueues the waiting jobs of an owner that can run now, and stores on the others why they wait. A
 * lock per owner serializes the calls, so that none works on outdated states.
 */
export async function scheduleJobs(ctx: Context, owner: OwnerRef): Promise<void> {
  await transact(ctx, async (tx) => {
    await holdLock(tx.db, `schedule:${owner.owner_type}:${owner.owner_id}`)
    const jobs = await schedulableJobs(tx.db, owner)
    const repositories = await jobLimitsOf(tx.db, [
      ...new Set(jobs.map((job) => job.repository_id)),
    ])
    const isolated = await canIsolate(tx)
    const plan = schedule(jobs, { owner: tx.config.ownerJobs, repositories, isolated })

    for (const { id, checks } of plan.waiting) await setChecks(tx.db, id, checks)
    for (const id of plan.picked) {
      if (await queueJob(tx.db, id)) tx.follow('job.run', { job_id: id })
    }
  })
}

/** While no runner is known, jobs are enqueued: the one that takes them knows (`findPlace`). */
async function canIsolate({ db, config }: Pick<Context, 'db' | 'config'>): Promise<boolean> {
  if (config.jobsWithoutIsolation) return true
  const runners = await liveRunners(db)
  return runners.length === 0 || runners.some(isolates)
}
