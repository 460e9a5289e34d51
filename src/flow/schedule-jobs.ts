import { setTimeout as pause } from 'node:timers/promises'
import { isolates } from '../domain/job/isolation.ts'
import type { OwnerRef } from '../domain/owner.ts'
import { schedule } from '../domain/job/scheduling.ts'
import { holdLockLoosely } from '../store/locks.ts'
import { liveRunners } from '../store/runners.ts'
import { queueJobs, schedulableJobs, setChecks } from '../store/waiting-jobs.ts'
import { sideBySide } from '../store/transaction.ts'
import type { Context } from './context.ts'
import { transact, type Transaction } from './transact.ts'

/** More of them are enqueued in a second transaction. */
const firstAtOnce = 16

/** Milliseconds in which the first of many jobs starts, before the database is busy with the others. */
const headStart = 20

/** What is left to do: jobs to enqueue, or only to say why others wait. */
type Left = 'jobs' | 'checks' | null

/**
 * Enqueues the waiting jobs of an owner that can run now, and stores on the others why they wait. A
 * lock per owner serializes the calls, so that none works on outdated states.
 */
export async function scheduleJobs(ctx: Context, owner: OwnerRef): Promise<void> {
  const enqueueMost = (most: number) => transact(ctx, (tx) => scheduleOnce(tx, owner, most))
  let left = await enqueueMost(firstAtOnce)
  if (left === 'jobs') await pause(headStart)
  while (left) left = await enqueueMost(Infinity)
}

/** Jobs that can run are enqueued before it is written down why others cannot. */
async function scheduleOnce(tx: Transaction, owner: OwnerRef, most: number): Promise<Left> {
  const [, jobs, isolated] = await sideBySide([
    holdLockLoosely(tx.db, `schedule:${owner.owner_type}:${owner.owner_id}`),
    schedulableJobs(tx.db, owner),
    canIsolate(tx),
  ])
  const repositories = new Map(jobs.map((job) => [job.repository_id, job.limit ?? 0]))
  const plan = schedule(jobs, { owner: tx.config.ownerJobs, repositories, isolated })

  const picked = plan.picked.slice(0, most)
  for (const job_id of await queueJobs(tx.db, picked)) tx.follow('job.run', { job_id })
  if (picked.length < plan.picked.length) return 'jobs'
  if (picked.length > 0 && plan.waiting.length > 0) return 'checks'
  await setChecks(tx.db, plan.waiting)
  return null
}

/** While no runner is known, jobs are enqueued: the one that takes them knows (`findPlace`). */
async function canIsolate({ db, config }: Pick<Context, 'db' | 'config'>): Promise<boolean> {
  if (config.jobsWithoutIsolation) return true
  const runners = await liveRunners(db)
  return runners.length === 0 || runners.some(isolates)
}
