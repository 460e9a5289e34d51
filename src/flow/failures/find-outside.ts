import type { JobRun } from '../../domain/failure/job-run.ts'
import { changesBetween, namedRun, type Outside } from '../../domain/failure/outside.ts'
import { secondsBetween } from '../../domain/time/seconds-between.ts'
import {
  type EarlierRun,
  failedAttemptBefore,
  firstRunWithCause,
  lastGreenRun,
} from '../../store/jobs/job-history.ts'
import type { Comparable } from '../../store/jobs/job-runs.ts'
import type { Database } from '../../store/tables.ts'

/** A run that has just ended, with the job and branch by which runs are compared. */
export type EndedRun = Comparable & Pick<JobRun, 'attempt' | 'sha' | 'state' | 'inputs' | 'cause'>

/**
 * The changes outside the commit between the last passed run and the first run that failed with the
 * same cause, or between a failed attempt and the next one, which passed. Null without such a run.
 */
export async function findOutside(
  db: Database,
  run: EndedRun & Pick<EarlierRun, 'number' | 'ended_at'>,
): Promise<Outside | null> {
  if (run.state === 'passed') {
    const failed = run.attempt === 1 ? undefined : await failedAttemptBefore(db, run)
    return failed ? between(failed, run, 'passed') : null
  }
  const green = await lastGreenRun(db, run)
  if (!green) return null
  const first = await firstRunWithCause(db, run, { cause: run.cause, after: green.ended_at })
  return between(green, first ?? run, 'failed')
}

function between(from: EarlierRun, to: EarlierRun, result: Outside['result']): Outside {
  const same_commit = from.sha === to.sha
  return {
    from: namedRun(from),
    to: namedRun(to),
    result,
    seconds: secondsBetween(from.ended_at, to.ended_at),
    same_commit,
    changes: changesBetween(from.inputs, to.inputs, same_commit),
  }
}
