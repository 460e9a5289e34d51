import type { Build } from '../../domain/build.ts'
import type { Cancellation } from '../../domain/job/cancellation.ts'
import type { Job } from '../../domain/job/job.ts'
import { lockOpenJobs } from '../../store/jobs/waiting-jobs.ts'
import type { Transaction } from '../transact.ts'
import { cancelOpenJobs } from './cancel-open-jobs.ts'
import { deriveBuild } from './derive-build.ts'

/**
 * Cancels the unfinished ones of these jobs, and derives the state of their build. The caller holds the
 * lock on the build.
 */
export async function cancelInBuild(
  tx: Transaction,
  build: Build,
  jobIds: readonly number[],
  by: Cancellation,
): Promise<Job[]> {
  // All open jobs are locked, because canceling a job can cancel the jobs of other stages.
  const open = await lockOpenJobs(tx.db, build.id)
  const wanted = new Set(jobIds)
  const canceled = await cancelOpenJobs(
    tx,
    open.filter(({ id }) => wanted.has(id)),
    by,
  )
  const [first] = canceled
  if (!first) return []
  await deriveBuild(tx, build)
  tx.follow('jobs.schedule', { owner_id: first.owner_id, owner_type: first.owner_type })
  return canceled
}
