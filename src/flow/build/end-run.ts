import type { Build } from '../../domain/build.ts'
import { type FinalState, type Job, unfinished } from '../../domain/job/job.ts'
import { moveJob } from '../../store/jobs.ts'
import { endLeases } from '../../store/leases.ts'
import type { Run } from '../claim-job.ts'
import type { Transaction } from '../transact.ts'
import { deriveBuild } from './derive-build.ts'

/**
 * Stores the final state of a run and derives that of its build. Undefined when the job has finished
 * already or belongs to a later run. The caller holds the lock on the build.
 */
export async function endRun(
  tx: Transaction,
  build: Build,
  run: Run,
  ending: { state: FinalState; found_version?: string | null },
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
