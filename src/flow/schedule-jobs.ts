import type { OwnerRef } from '../domain/owner.ts'
import { schedule } from '../domain/scheduling.ts'
import { moveJob, schedulableJobs, setChecks } from '../store/jobs.ts'
import { holdLock } from '../store/locks.ts'
import { jobLimitsOf } from '../store/settings.ts'
import { json } from '../store/tables.ts'
import type { Context } from './context.ts'

/**
 * Enqueues those waiting jobs of an owner that may run now, and notes on the others why they wait.
 * Evaluations of one owner follow each other, so none works with what another has just changed.
 */
export async function scheduleJobs(ctx: Context, owner: OwnerRef): Promise<void> {
  const picked = await ctx.db.transaction().execute(async (tx) => {
    await holdLock(tx, `schedule:${owner.owner_type}:${owner.owner_id}`)
    const jobs = await schedulableJobs(tx, owner)
    const repositories = await jobLimitsOf(tx, [...new Set(jobs.map((job) => job.repository_id))])
    const plan = schedule(jobs, { owner: ctx.config.ownerJobs, repositories })

    for (const { id, checks } of plan.waiting) await setChecks(tx, id, checks)
    const queued: number[] = []
    for (const id of plan.picked) {
      const changes = { state: 'queued' as const, queued_at: ctx.now(), checks: json([]) }
      if (await moveJob(tx, { id }, ['created'], changes)) queued.push(id)
    }
    return queued
  })
  for (const job_id of picked) await ctx.enqueue('job.run', { job_id })
}
