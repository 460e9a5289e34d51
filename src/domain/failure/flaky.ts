import { grouped } from '../grouped.ts'
import type { NamedRun } from './outside.ts'

/** A run whose result is the job's own, as the history of its job has it. */
export interface HistoryRun extends NamedRun {
  /** Its branch and pull request. */
  place: string
  /** The commit that was tested. */
  sha: string
  /** The same text for runs with the same inputs. */
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

/** How often a job failed for no reason of its commits or inputs. */
export interface Flakiness {
  flakes: number
  /** All runs of these days that ended by themselves. */
  runs: number
  days: number
  /** Whether the run that is looked at passed, or failed like one of the flakes. */
  same_cause: boolean
  /** The last one. */
  failed: NamedRun
  passed: NamedRun
}

/** Days of which runs are counted, and days after which a job without another flake is no longer flaky. */
export const countedDays = 30
const flakyDays = 14
const day = 24 * 60 * 60 * 1000

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
  /** The same for runs of one job. */
  job: string
  ended_at: Date
}

const outageSpan = 10 * 60 * 1000
const fewestJobs = 3

/**
 * The number of jobs that failed on a machine within the ten minutes in which this failure was, and passed in another
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
 * days. `history` has only runs of the same definition, so that a changed job begins anew.
 */
export function flakinessOf(
  { state, cause }: Pick<HistoryRun, 'state' | 'cause'>,
  { history, flakes, now }: { history: readonly HistoryRun[]; flakes: readonly Flake[]; now: Date },
): Flakiness | null {
  const age = (run: HistoryRun) => now.getTime() - run.ended_at.getTime()
  const counted = flakes.filter(({ failed }) => age(failed) <= countedDays * day)
  const [last] = counted
  if (!last || age(last.failed) > flakyDays * day) return null
  return {
    flakes: counted.length,
    runs: history.filter((run) => age(run) <= countedDays * day).length,
    days: countedDays,
    same_cause: state === 'passed' || counted.some(({ failed }) => failed.cause === cause),
    failed: named(last.failed),
    passed: named(last.passed),
  }
}

const named = ({ job_id, number, attempt }: NamedRun): NamedRun => ({ job_id, number, attempt })

/** `Flaky: 3 of 41 runs in 30 days failed, and passed with the same commit and nothing else changed.` */
export function flakyText({ flakes, runs, days, same_cause }: Flakiness): string {
  const other = same_cause
    ? ''
    : ' None of them failed with this line, so this failure may be real.'
  return `Flaky: ${flakes} of ${runs} runs in ${days} days failed, and passed with the same commit and nothing else changed.${other}`
}

export function outageText(jobs: number): string {
  return `An outage of the runner: ${jobs} jobs failed on it within ten minutes, and passed in another run.`
}
