import { isolates, isolationCheck, needsIsolation } from '../domain/job/isolation.ts'
import type { JobToRun } from '../store/jobs-to-run.ts'
import { moveJob } from '../store/jobs.ts'
import { liveRunners } from '../store/runners.ts'
import { json } from '../store/tables.ts'
import type { Context } from './context.ts'

/**
 * Where a queued job may run that came to a runner of this level (D41): here, on another runner that
 * isolates jobs, or nowhere. Then it waits again, says why, and the sweep has it scheduled later.
 */
export async function findPlace(
  { db, config }: Context,
  { job, repository }: JobToRun,
  isolation: string,
): Promise<'here' | 'elsewhere' | 'nowhere'> {
  if (isolation !== 'none' || config.jobsWithoutIsolation) return 'here'
  if (!repository || !needsIsolation(repository)) return 'here'
  if ((await liveRunners(db)).some(isolates)) return 'elsewhere'
  await moveJob(db, { id: job.id }, ['queued'], {
    state: 'created',
    queued_at: null,
    checks: json([isolationCheck(false)]),
  })
  return 'nowhere'
}
