import type { Build } from '../../domain/build.ts'
import { type Job, unfinished } from '../../domain/job/job.ts'
import { moveJob } from '../../store/jobs.ts'
import { endLeases } from '../../store/leases.ts'
import { lockOpenJobs } from '../../store/waiting-jobs.ts'
import type { Transaction } from '../transact.ts'
import { deriveBuild } from './derive-build.ts'

/**
 * Cancels those of these jobs that have not finished, and derives the state of their build. The
 * caller holds the lock on the build.
 */
export async function cancelInBuild(
  tx: Transaction,
  build: Build,
  jobIds: readonly number[],
): Promise<Job[]> {
  const now = tx.now()
  const canceled: Job[] = []
  // Canceling one can cancel the jobs of other stages.
  await lockOpenJobs(tx.db, build.id)
  for (const id of jobIds) {
    const job = await moveJob(tx.db, { id }, unfinished, {
      state: 'canceled',
      canceled_at: now,
      finished_at: now,
    })
    if (job) canceled.push(job)
  }
  const [first] = canceled
  if (!first) return []
  await endLeases(
    tx.db,
    canceled.map(({ id }) => id),
  )
  await deriveBuild(tx, build)
  tx.follow('jobs.schedule', { owner_id: first.owner_id, owner_type: first.owner_type })
  return canceled
}
