import type { Actor } from '../domain/audit.ts'
import { stateConflict } from '../domain/errors.ts'
import { isFinished, type Job } from '../domain/job/job.ts'
import { wasRemoved } from '../domain/log/log-endings.ts'
import { findJob } from '../store/jobs.ts'
import { removeLog as removeStored } from '../store/logs.ts'
import { audit } from './audit.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

interface RemovedLog {
  removed_at: Date
  removed_by: string
  text: string
}

/**
 * Replaces the log of a finished job, and those of its earlier attempts, by who removed it, when and
 * why. Throws when the job has not finished, or its log was removed before.
 */
export function removeLog(
  ctx: Context,
  by: Actor,
  job: Pick<Job, 'id'>,
  reason?: string,
): Promise<RemovedLog> {
  return transact(ctx, async (tx) => {
    await lockBuildOfJob(tx.db, job.id)
    const current = await findJob(tx.db, job.id)
    if (!current || !isFinished(current)) throw stateConflict('job_unfinished', job)
    const removed_at = tx.now()
    const removed_by = by.user.name ?? by.user.login
    const text = wasRemoved(removed_by, removed_at, reason)
    if (!(await removeStored(tx.db, job.id, { by, removed_at, text }))) {
      throw stateConflict('log_already_removed', job)
    }
    await audit(tx, by, {
      action: 'remove_log',
      subject_type: 'job',
      subject_id: job.id,
      changed: { reason: reason ?? null },
    })
    return { removed_at, removed_by, text }
  })
}
