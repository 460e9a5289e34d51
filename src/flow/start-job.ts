import type { Build } from '../domain/build.ts'
import type { Job } from '../domain/job/job.ts'
import { lockBuild, updateBuild } from '../store/builds.ts'
import { moveJob } from '../store/jobs.ts'
import { setLastBuild } from '../store/repositories.ts'
import { stagesOfBuild, updateStage } from '../store/stages.ts'
import type { Database } from '../store/tables.ts'
import { announceBuild } from './build/announce-build.ts'
import type { Context } from './context.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Stores that the script of a job begins, and derives the states of its stage and build. False when
 * the job no longer belongs to this run.
 */
export function startJob(
  ctx: Context,
  { id, attempt, build_id }: Pick<Job, 'id' | 'attempt' | 'build_id'>,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const build = await lockBuild(tx.db, build_id)
    if (!build) return false
    const started_at = tx.now()
    const job = await moveJob(tx.db, { id, attempt }, ['received'], {
      state: 'started',
      started_at,
    })
    if (!job) return false
    await startStage(tx.db, job, started_at)
    await startBuild(tx, build, started_at)
    return true
  })
}

async function startStage(db: Database, job: Job, started_at: Date): Promise<void> {
  if (job.stage_id === null) return
  const stages = await stagesOfBuild(db, job.build_id)
  const stage = stages.find(({ id, state }) => id === job.stage_id && state === 'created')
  if (stage) await updateStage(db, stage.id, { state: 'started', started_at })
}

/** Only the first job of a build starts it. */
async function startBuild(tx: Transaction, build: Build, started_at: Date): Promise<void> {
  if (build.state !== 'created' && build.state !== 'received') return
  await updateBuild(tx.db, build.id, {
    state: 'started',
    started_at: build.started_at ?? started_at,
  })
  // ST-27: one that is the last build already, or older than that, changes nothing.
  await setLastBuild(tx.db, build, started_at)
  await announceBuild(tx, { ...build, state: 'started' })
}
