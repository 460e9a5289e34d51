import { fits } from '../../domain/job/machine.ts'
import {
  canIsolate,
  type PlacedRunner,
  placementChecks,
  takes,
} from '../../domain/job/placement.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { moveJob } from '../../store/jobs/jobs.ts'
import { liveRunners } from '../../store/jobs/runners.ts'
import { json } from '../../store/tables.ts'
import type { Context } from '../context.ts'

/**
 * Where a queued job that this runner received can run: here, on another runner that isolates it (D41), takes its
 * queue and is the machine it requests (D52), or nowhere. In the last case the job waits again with the reason stored, and
 * is scheduled again.
 */
export async function findPlace(
  ctx: Context,
  { job, build, repository }: JobToRun,
  here: PlacedRunner,
): Promise<'here' | 'elsewhere' | 'nowhere'> {
  if (!repository) return 'here'
  const { db, config } = ctx
  const { os, arch, queue } = job
  const { without_approval } = build
  const placed = { os, arch, queue, provider: repository.provider, without_approval }
  const isAble = (runner: PlacedRunner) =>
    canIsolate(placed, runner, config) && takes(runner, placed)
  const isolated = isAble(here)
  if (isolated && fits(placed, here)) return 'here'
  const live = await liveRunners(db)
  const isElsewhere = live.some((runner) => isAble(runner) && fits(placed, runner))
  if (isElsewhere) return 'elsewhere'
  if (config.otherMachines === 'run') {
    if (isolated) return 'here'
    if (live.some(isAble)) return 'elsewhere'
  }
  const checks = placementChecks(placed, [here, ...live], config)
  await moveJob(db, { id: job.id }, ['queued'], {
    state: 'created',
    queued_at: null,
    checks: json(checks.filter(({ passed }) => !passed)),
  })
  const { owner_id, owner_type } = job
  // If not even this runner counts as live, scheduling would return the job immediately: the sweep does it.
  if (live.length > 0) await ctx.enqueue('jobs.schedule', { owner_id, owner_type })
  return 'nowhere'
}
