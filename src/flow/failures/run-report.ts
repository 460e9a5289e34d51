import type { Failure } from '../../domain/failure/failure.ts'
import {
  countedSince,
  flakesIn,
  type Flakiness,
  flakinessOf,
  flakyText,
  isSameRun,
  outageAround,
  outageText,
} from '../../domain/failure/flaky.ts'
import { type Outside, outsideText } from '../../domain/failure/outside.ts'
import {
  historyOfJob,
  type KnownRun,
  knownRuns,
  recoveredAround,
} from '../../store/jobs/job-history.ts'
import type { Context } from '../context.ts'

/** The known facts about a run in addition to its result. */
export interface RunReport {
  /** Why the run failed; null if it passed. */
  failure: Failure | null
  /** The changes outside the commit since the last run with the other result. */
  outside: Outside | null
  flaky: Flakiness | null
  /** The number of the repository's jobs that failed on the same machine at that time, if it was an outage. */
  outage: number | null
}

type Known = Pick<Context, 'db' | 'now'>

/** The reports on the current attempts of these jobs that have ended, by job. */
export async function reportsOfJobs(
  ctx: Known,
  jobIds: readonly number[],
): Promise<Map<number, RunReport>> {
  const runs = await knownRuns(ctx.db, jobIds)
  const reports = await Promise.all(
    runs.map(async (run) => [run.job_id, await reportOf(ctx, run)] as const),
  )
  return new Map(reports)
}

/**
 * The report on one attempt of a job; undefined if the attempt has not ended, or was not examined.
 */
export async function reportOfAttempt(
  ctx: Known,
  jobId: number,
  attempt: number,
): Promise<RunReport | undefined> {
  const [run] = await knownRuns(ctx.db, [jobId], attempt)
  return run && reportOf(ctx, run)
}

async function reportOf(ctx: Known, run: KnownRun): Promise<RunReport> {
  const { failure, outside } = run
  return { failure, outside, ...(await judge(ctx, run)) }
}

async function judge(
  { db, now }: Known,
  run: KnownRun,
): Promise<Pick<RunReport, 'flaky' | 'outage'>> {
  const nothing = { flaky: null, outage: null }
  const { state } = run
  // A job that could not run at all proves nothing about its flakiness.
  if (state !== 'passed' && state !== 'failed') return nothing
  const history = await historyOfJob(db, run, countedSince(now()))
  const flakes = flakesIn(history)
  if (state === 'passed' && flakes.length === 0) return nothing
  const failures = flakes.map(({ failed }) => failed)
  const [aroundRun = [], ...around] = await recoveredAround(db, run, [run, ...failures])
  const counted = flakes.filter(({ failed }, index) => {
    return outageAround(failed, around[index] ?? []) === null
  })
  const hasRecovered = [...failures, ...aroundRun].some((each) => isSameRun(each, run))
  return {
    flaky: flakinessOf({ ...run, state }, { history, flakes: counted, now: now() }),
    outage: hasRecovered ? outageAround(run, aroundRun) : null,
  }
}

/** Further remarks about a run, in sentences. `names` as for `outsideText`. */
export function notesOnRun(
  { outside, flaky, outage }: RunReport,
  shown: { names?: boolean } = {},
): string[] {
  return [
    outage === null ? undefined : outageText(outage),
    outside ? outsideText(outside, shown) : undefined,
    flaky ? flakyText(flaky) : undefined,
  ].filter((text) => text !== undefined)
}
