import { isolates } from '../domain/job/isolation.ts'
import type { OwnerRef } from '../domain/owner.ts'
import { schedule } from '../domain/job/scheduling.ts'
import { holdLockLoosely } from '../store/locks.ts'
import { liveRunners } from '../store/runners.ts'
import { queueJobs, schedulableJobs, setChecks } from '../store/waiting-jobs.ts'
import type { Context } from './context.ts'
import { transact, type Transaction } from './transact.ts'

/** More of them are enqueued in a second transaction. */
const firstAtOnce = 16

/**
 * Enqueues the waiting jobs of an owner that can run now, and stores on the others why they wait. A
 * lock per owner serializes the calls, so that none works on outdated states.
 */
export async function scheduleJobs(ctx: Context, owner: OwnerRef): Promise<void> {
  // Jobs that can run are enqueued before it is written down why others cannot; the first of many begin
  // while the others are enqueued.
  for (let most = firstAtOnce; await transact(ctx, (tx) => scheduleOnce(tx, owner, most));) {
    most = Infinity
  }
}

/** Whether there is more to do once the jobs that were picked are enqueued. */
async function scheduleOnce(tx: Transaction, owner: OwnerRef, most: number): Promise<boolean> {
  await holdLockLoosely(tx.db, `schedule:${owner.owner_type}:${owner.owner_id}`)
  const jobs = await schedulableJobs(tx.db, owner)
  const repositories = new Map(jobs.map((job) => [job.repository_id, job.limit ?? 0]))
  const isolated = await canIsolate(tx)
  const plan = schedule(jobs, { owner: tx.config.ownerJobs, repositories, isolated })

  const picked = plan.picked.slice(0, most)
  for (const job_id of await queueJobs(tx.db, picked)) tx.follow('job.run', { job_id })
  if (picked.length > 0 && plan.picked.length - picked.length + plan.waiting.length > 0) return true
  await setChecks(tx.db, plan.waiting)
  return false
}

/** While no runner is known, jobs are enqueued: the one that takes them knows (`findPlace`). */
async function canIsolate({ db, config }: Pick<Context, 'db' | 'config'>): Promise<boolean> {
  if (config.jobsWithoutIsolation) return true
  const runners = await liveRunners(db)
  return runners.length === 0 || runners.some(isolates)
}
