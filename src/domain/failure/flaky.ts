import { grouped } from '../grouped.ts'
import { type NamedRun, namedRun, runText } from './outside.ts'

/** A run whose result is the job's own, as in the history of its job. */
export interface HistoryRun extends NamedRun {
  /** Its branch and pull request. */
  place: string
  /** The commit that was tested. */
  sha: string
  /** A text that is equal for runs with the same inputs. */
  inputs: string
  runner: string
  state: 'passed' | 'failed'
  cause: string | null
  ended_at: Date
}

/** A run that failed, and one that passed with the same commit and the same inputs. */
export interface Flake {
  failed: HistoryRun
  passed: HistoryRun
}

/** The number of failures of a job that its commits or inputs do not explain. */
export interface Flakiness {
  flakes: number
  /** All runs of these days that ended by themselves. */
  runs: number
  days: number
  /** The last one. */
  failed: NamedRun
  passed: NamedRun
}

/** Days whose runs are counted, and days without another flake after which a job is no longer flaky. */
const countedDays = 30
const flakyDays = 14
const day = 24 * 60 * 60 * 1000

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * day)

/** Runs that ended earlier are not counted. */
export const countedSince = (now: Date): Date => daysBefore(now, countedDays)

/**
 * The runs that prove a job flaky, newest first: they failed, and another run of the same commit with the same
 * inputs passed. Failures that a later commit or a changed input ended prove nothing.
 */
export function flakesIn(history: readonly HistoryRun[]): Flake[] {
  const same = grouped(history, ({ place, sha, inputs }) => JSON.stringify([place, sha, inputs]))
  return [...same.values()]
    .flatMap((runs) => {
      const passes = runs.filter(({ state }) => state === 'passed')
      return runs.flatMap((failed) => {
        const passed = failed.state === 'failed' ? nearest(passes, failed) : undefined
        return passed ? [{ failed, passed }] : []
      })
    })
    .toSorted((a, b) => b.failed.ended_at.getTime() - a.failed.ended_at.getTime())
}

/** The first run that passed afterwards, else the last one before. */
function nearest(passes: readonly HistoryRun[], { ended_at }: HistoryRun): HistoryRun | undefined {
  const inOrder = passes.toSorted((a, b) => a.ended_at.getTime() - b.ended_at.getTime())
  return inOrder.find((each) => each.ended_at >= ended_at) ?? inOrder.at(-1)
}

/** A failure that another run of the same commit with the same inputs did not have. */
export interface Recovered {
  job_id: number
  attempt: number
  /** Equal for runs of one job. */
  job: string
  ended_at: Date
}

const outageSpan = 10 * 60 * 1000
const fewestJobs = 3

/**
 * The number of jobs of a repository that failed on a machine within the ten minutes in which this failure was, and passed in another
 * run; null for fewer than three. Then it was an outage of the machine, and the job is not to blame.
 */
export function outageAround(
  { ended_at }: Pick<HistoryRun, 'ended_at'>,
  onMachine: readonly Recovered[],
): number | null {
  const at = ended_at.getTime()
  const times = onMachine.map((each) => each.ended_at.getTime())
  const counts = times
    .filter((from) => from <= at && at - from <= outageSpan)
    .map((from) => {
      const within = onMachine.filter((_, index) => {
        const time = times[index] ?? Infinity
        return time >= from && time - from <= outageSpan
      })
      return new Set(within.map(({ job }) => job)).size
    })
  const most = Math.max(0, ...counts)
  return most < fewestJobs ? null : most
}

/**
 * Whether a job is flaky, given the flakes that no outage explains. Null if none of them is from the last fourteen
 * days, and for a run that failed in another way than all of them: that failure may be real. `history` has only
 * runs of the same definition, so that a changed job begins anew.
 */
export function flakinessOf(
  run: Pick<HistoryRun, 'job_id' | 'attempt' | 'state' | 'cause'>,
  { history, flakes, now }: { history: readonly HistoryRun[]; flakes: readonly Flake[]; now: Date },
): Flakiness | null {
  const since = countedSince(now)
  const counted = flakes.filter(({ failed }) => failed.ended_at >= since)
  const [last] = counted
  if (!last || last.failed.ended_at < daysBefore(now, flakyDays)) return null
  if (run.state === 'failed' && !counted.some(({ failed }) => failedAlike(run, failed))) return null
  return {
    flakes: counted.length,
    runs: history.filter((each) => each.ended_at >= since).length,
    days: countedDays,
    failed: namedRun(last.failed),
    passed: namedRun(last.passed),
  }
}

type FailedRun = Pick<HistoryRun, 'job_id' | 'attempt' | 'cause'>

/**
 * Whether two runs are the same run, or failed with the same line. A run without a known line matches any
 * line.
 */
function failedAlike(one: FailedRun, other: FailedRun): boolean {
  if (isSameRun(one, other)) return true
  return one.cause !== null && one.cause === other.cause
}

type OneRun = Pick<NamedRun, 'job_id' | 'attempt'>

export const isSameRun = (one: OneRun, other: OneRun) =>
  one.job_id === other.job_id && one.attempt === other.attempt

/**
 * `Flaky: 3 of 41 runs in 30 days failed, and passed with the same commit and nothing else changed. Last, job 7.1
 * failed, and job 7.1 (attempt 2) passed.`
 */
export function flakyText({ flakes, runs, days, failed, passed }: Flakiness): string {
  const counts = `${flakes} of ${runs} runs in ${days} days failed`
  const last = `Last, ${runText(failed)} failed, and ${runText(passed)} passed.`
  return `Flaky: ${counts}, and passed with the same commit and nothing else changed. ${last}`
}

export function outageText(jobs: number): string {
  return `An outage of the runner: ${jobs} jobs of this repository failed on it within ten minutes, and passed in another run.`
}
