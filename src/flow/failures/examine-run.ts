import { setTimeout as pause } from 'node:timers/promises'
import { endedByItself, type JobRun } from '../../domain/failure/job-run.ts'
import type { FinalState } from '../../domain/job/job.ts'
import { greenRuns } from '../../store/jobs/job-runs.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import type { Context } from '../context.ts'
import type { Run } from '../jobs/claim-job.ts'
import { textOfLog } from '../logs/read-log.ts'
import { examineWork } from './examine-work.ts'
import { findOutside } from './find-outside.ts'
import { jobKeyOf, type KnownInputs } from './run-inputs.ts'

/** The stored facts about a run, in addition to its final state. */
export interface ExaminedRun {
  run: Omit<JobRun, 'ended_at'>
  /** Packed shapes of a run that passed. */
  shapes: Uint8Array | null
}

/** Milliseconds that the end of a job waits at most for the examination of its log. */
const patience = 5000

/**
 * Reads the log of a run that has just ended, outside of the event loop. Undefined if that takes
 * too long or fails, and for a canceled run: the job ends without the examination.
 */
export async function examineRun(
  ctx: Context,
  { toRun, run, inputs }: { toRun: JobToRun; run: Run; inputs: KnownInputs },
  state: FinalState,
): Promise<ExaminedRun | undefined> {
  if (state === 'canceled') return undefined
  const giveUp = new AbortController()
  try {
    return await Promise.race([
      examine(ctx, { toRun, run, inputs }, state),
      pause(patience, undefined, { signal: giveUp.signal }),
    ])
  } catch (error) {
    ctx.log.warn({ ...run, err: error }, 'the log of a job could not be examined')
    return undefined
  } finally {
    giveUp.abort()
  }
}

async function examine(
  ctx: Context,
  { toRun, run, inputs: known }: { toRun: JobToRun; run: Run; inputs: KnownInputs },
  state: FinalState,
): Promise<ExaminedRun> {
  const { job, build, commit, repository } = toRun
  const place = {
    repository_id: job.repository_id,
    job_key: jobKeyOf(job),
    branch: commit.branch,
    pull_request_id: build.pull_request_id,
  }
  const default_branch = repository?.default_branch_name ?? ''
  const [log, green] = await Promise.all([
    textOfLog(ctx, run.job_id, run.attempt),
    state === 'passed' ? [] : greenRuns(ctx.db, { ...place, job_id: run.job_id, default_branch }),
  ])
  const { result } = await ctx.reader.run(
    examineWork,
    {
      log,
      state,
      green: green.map(({ shapes, ...run }) => ({ ...run, shapes: new Uint8Array(shapes) })),
    },
    { turn: { of: 'pushes', key: `job ${job.repository_id}` } },
  )
  const { failure, versions, cause, shapes } = result
  const examined = {
    ...run,
    ...place,
    sha: commit.sha,
    state,
    inputs: { ...known, versions },
    failure,
    cause,
    by_itself: endedByItself(state, failure),
  }
  const outside = await findOutside(ctx.db, {
    ...examined,
    number: job.number,
    ended_at: ctx.now(),
    default_branch,
  })
  return { run: { ...examined, outside }, shapes }
}
