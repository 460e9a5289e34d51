import { setTimeout as pause } from 'node:timers/promises'
import { type Schedule, schedule } from '../../domain/job/scheduling.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { liveRunners } from '../../store/jobs/runners.ts'
import { queueJobs, schedulableJobs, setChecks } from '../../store/jobs/waiting-jobs.ts'
import { holdLockLoosely } from '../../store/sql/locks.ts'
import { sideBySide } from '../../store/sql/transaction.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'
import { endUnmetJobs } from './end-unmet-jobs.ts'

/** Jobs enqueued in the first transaction; the others follow in a second one. */
const firstAtOnce = 16

/** Milliseconds in which the first jobs start, before the database is busy with the others. */
const headStart = 20

/** The remaining work: jobs to enqueue, or only storing why others wait. */
type Left = 'jobs' | 'checks' | null

/**
 * Enqueues an owner's waiting jobs that can run now, and stores on the others why they wait. A
 * lock per owner serializes the calls, so that no call works on outdated states.
 */
export async function scheduleJobs(ctx: Context, owner: OwnerRef): Promise<void> {
  const enqueueMost = (most: number) => transact(ctx, (tx) => scheduleOnce(tx, owner, most))
  let { left, unmet } = await enqueueMost(firstAtOnce)
  if (left === 'jobs') await pause(headStart)
  while (left) ({ left, unmet } = await enqueueMost(Infinity))
  // This needs transactions of its own: it locks builds before their jobs, and the one above locks jobs.
  await endUnmetJobs(ctx, unmet)
}

interface Scheduled {
  left: Left
  unmet: Schedule['unmet']
}

/** Enqueues the jobs that can run, before storing why the others cannot. */
async function scheduleOnce(tx: Transaction, owner: OwnerRef, most: number): Promise<Scheduled> {
  const { otherMachines, unmetMinutes, ownerJobs } = tx.config
  const [, jobs, runners] = await sideBySide([
    holdLockLoosely(tx.db, `schedule:${owner.owner_type}:${owner.owner_id}`),
    schedulableJobs(tx.db, owner),
    liveRunners(tx.db),
  ])
  const repositories = new Map(jobs.map((job) => [job.repository_id, job.limit ?? 0]))
  const unmetSeconds = otherMachines === 'refuse' ? unmetMinutes * 60 : 0
  const limits = { owner: ownerJobs, repositories, runners, rules: tx.config, unmetSeconds }
  const plan = schedule(jobs, limits)
  const { unmet } = plan

  const picked = plan.picked.slice(0, most)
  for (const job_id of await queueJobs(tx.db, picked)) tx.follow('job.run', { job_id })
  if (picked.length < plan.picked.length) return { left: 'jobs', unmet }
  if (picked.length > 0 && plan.waiting.length > 0) return { left: 'checks', unmet }
  await setChecks(tx.db, plan.waiting)
  return { left: null, unmet }
}
