import type { Build } from '../../domain/build.ts'
import { type Job, unfinished } from '../../domain/job/job.ts'
import { moveJob } from '../../store/jobs/jobs.ts'
import { endLeases } from '../../store/jobs/leases.ts'
import type { Run } from '../jobs/claim-job.ts'
import type { Transaction } from '../transact.ts'
import { deriveBuild } from './derive-build.ts'

/** Facts that a run has reported. */
export interface Found {
  /** The version of its language, if not the requested version. */
  found_version?: string | null
  /** The image of its container. */
  image?: string | null | undefined
  /** Why the run ended without a result. */
  reason?: string | null
}

/**
 * Stores the final state of a run and derives the state of its build. Undefined if the job has finished
 * already or belongs to a later run. The caller holds the lock on the build.
 */
export async function endRun(
  tx: Transaction,
  build: Build,
  run: Run,
  ending: Pick<Job, 'state'> & Found,
): Promise<Job | undefined> {
  const ended = await moveJob(tx.db, { id: run.job_id, attempt: run.attempt }, unfinished, {
    ...ending,
    finished_at: tx.now(),
  })
  if (!ended) return
  await endLeases(tx.db, [ended.id])
  await deriveBuild(tx, build)
  tx.follow('jobs.schedule', { owner_id: ended.owner_id, owner_type: ended.owner_type })
  return ended
}
