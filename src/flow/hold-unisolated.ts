import { isolationCheck, needsIsolation } from '../domain/isolation.ts'
import type { Job } from '../domain/job.ts'
import { moveJob } from '../store/jobs.ts'
import { findRepository } from '../store/repositories.ts'
import { json } from '../store/tables.ts'
import type { Context } from './context.ts'

/**
 * Keeps a queued job from a runner that cannot isolate it (D41): it waits again, says why, and the
 * sweep has it scheduled later. False when the runner may run it.
 */
export async function holdUnisolated(
  { db, config }: Context,
  job: Job,
  isolation: string,
): Promise<boolean> {
  if (isolation !== 'none' || config.jobsWithoutIsolation) return false
  const repository = await findRepository(db, { id: job.repository_id })
  if (!repository || !needsIsolation(repository)) return false
  await moveJob(db, { id: job.id }, ['queued'], {
    state: 'created',
    queued_at: null,
    checks: json([isolationCheck(false)]),
  })
  return true
}
