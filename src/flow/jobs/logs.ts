import type { Actor } from '../../domain/audit.ts'
import { stateConflict } from '../../domain/errors.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import type { LogPart } from '../../domain/log/log.ts'
import { findJob } from '../../store/jobs/jobs.ts'
import { insertParts, removeLogs } from '../../store/jobs/logs.ts'
import { wasRemoved } from '../../texts/log-endings.ts'
import { audit } from '../audit.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import type { Context } from '../context.ts'
import { deleteObjectsOf } from '../logs/delete-objects.ts'
import { transact } from '../transact.ts'
import type { Run } from './claim-job.ts'

interface RemovedLog {
  removed_at: Date
  removed_by: string
  text: string
}

/**
 * Replaces the logs of a finished job and of its earlier attempts by a text about who removed them, when and
 * why. Throws if the job has not finished, or its log was removed before.
 */
export async function removeLog(
  ctx: Context,
  by: Actor,
  job: Pick<Job, 'id'>,
  reason?: string,
): Promise<RemovedLog> {
  const removed = await transact(ctx, async (tx) => {
    await lockBuildOfJob(tx.db, job.id)
    const current = await findJob(tx.db, job.id)
    if (!current || !isFinished(current)) throw stateConflict('job_unfinished', job)
    const removed_at = tx.now()
    const removed_by = by.user.name ?? by.user.login
    const text = wasRemoved(removed_by, removed_at, reason)
    if ((await removeLogs(tx.db, [job.id], { by, removed_at, text })) === 0) {
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
  await deleteObjectsOf(ctx, job.id)
  return removed
}

/** Stores parts of a run's output. False when the run is no longer the job's current one. */
export function appendLog({ db }: Context, run: Run, parts: readonly LogPart[]): Promise<boolean> {
  return insertParts(db, run, parts)
}
