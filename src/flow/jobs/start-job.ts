import type { Build } from '../../domain/build.ts'
import type { Job } from '../../domain/job/job.ts'
import { stagesOfBuild, updateStage } from '../../store/builds/stages.ts'
import { type BuildOfStart, startBuild, startReceivedJob } from '../../store/jobs/starts.ts'
import { sideBySide } from '../../store/sql/transaction.ts'
import type { Database } from '../../store/tables.ts'
import { announceBuild } from '../builds/announce-build.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'

/**
 * Stores that the script of a job begins, and derives the states of its stage and build. False if
 * the job no longer belongs to this run.
 */
export function startJob(
  ctx: Context,
  job: Pick<Job, 'id' | 'attempt' | 'build_id'>,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const started_at = tx.now()
    const started = await startReceivedJob(tx.db, job, started_at)
    if (!started) return false
    await startStage(tx.db, started, started_at)
    await startFirst(tx, started, started_at)
    return true
  })
}

async function startStage(
  db: Database,
  { id, stage_id }: BuildOfStart,
  started_at: Date,
): Promise<void> {
  if (stage_id === null) return
  const stages = await stagesOfBuild(db, id)
  const stage = stages.find((each) => each.id === stage_id && each.state === 'created')
  if (stage) await updateStage(db, stage.id, { state: 'started', started_at })
}

/** Starts the build, unless an earlier job has started it. */
async function startFirst(tx: Transaction, build: Build, started_at: Date): Promise<void> {
  if (build.state !== 'created' && build.state !== 'received') return
  await sideBySide([
    startBuild(tx.db, build, started_at),
    announceBuild(tx, { ...build, state: 'started' }),
  ])
}
