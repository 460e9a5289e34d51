import { type Cancellation, cancelText } from '../../domain/job/cancellation.ts'
import { type Job, unfinished } from '../../domain/job/job.ts'
import { moveJob } from '../../store/jobs/jobs.ts'
import { revokeLeases } from '../../store/jobs/leases.ts'
import { insertWholeLogs } from '../../store/jobs/logs.ts'
import { neverRan } from '../../texts/log-endings.ts'
import { endSeconds } from '../jobs/claim-job.ts'
import type { Transaction } from '../transact.ts'

/**
 * Cancels these unfinished jobs of a build, in the states in which they were locked, and leaves deriving the
 * build to the caller. The log of a running job is closed by its runner, the logs of waiting jobs here.
 */
export async function cancelOpenJobs(
  tx: Transaction,
  jobs: readonly Pick<Job, 'id' | 'state'>[],
  by: Cancellation & { canceled_by_stage?: true },
): Promise<Job[]> {
  const now = tx.now()
  const canceled: Job[] = []
  for (const { id } of jobs) {
    const job = await moveJob(tx.db, { id }, unfinished, {
      ...by,
      state: 'canceled',
      canceled_at: now,
      finished_at: now,
    })
    if (job) canceled.push(job)
  }
  await revokeLeases(
    tx.db,
    canceled.map(({ id }) => id),
    endSeconds(tx.config),
  )
  const waiting = jobs.filter(({ state }) => state === 'created' || state === 'queued')
  await insertWholeLogs(
    tx.db,
    waiting.map(({ id }) => id),
    neverRan(cancelText(by)),
  )
  return canceled
}
