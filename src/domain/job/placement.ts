import type { Provider } from '../owner.ts'
import { type Check, check } from '../request/check.ts'
import { isolates, isolationCheck, needsIsolation } from './isolation.ts'
import {
  type AskedMachine,
  fits,
  type Machine,
  noSuchRunner,
  type OtherMachines,
} from './machine.ts'

/** The properties of a runner that decide which jobs it can run. */
export interface PlacedRunner extends Machine {
  isolation: string
  /** The queues whose jobs it takes; null if it takes those of all queues. */
  queues: readonly string[] | null
  /** Whether it takes jobs of forks that no one has approved, which its own FORK_APPROVAL decides. */
  without_approval: boolean
}

export interface PlacedJob extends AskedMachine {
  /** Provider of the job's repository. */
  provider: Provider
  queue: string
  /** Whether it comes from a fork and runs before anyone approved it. */
  without_approval: boolean
}

export interface PlacementRules {
  jobsWithoutIsolation: boolean
  otherMachines: OtherMachines
}

/** Whether a runner can run a job, as far as isolation is concerned (D41). */
export function canIsolate(
  job: Pick<PlacedJob, 'provider' | 'without_approval'>,
  runner: Pick<PlacedRunner, 'isolation' | 'without_approval'>,
  rules: Pick<PlacementRules, 'jobsWithoutIsolation'>,
): boolean {
  if (job.without_approval && !runner.without_approval) return false
  return rules.jobsWithoutIsolation || isolates(runner) || !needsIsolation(job)
}

/** Whether a runner takes the jobs of a job's queue. */
export function takes(
  { queues }: Pick<PlacedRunner, 'queues'>,
  { queue }: { queue: string },
): boolean {
  return queues === null || queues.includes(queue)
}

/** Whether a job has a runner, one of its queue, and one on the requested machine; all pass while no runner is known. */
export function placementChecks(
  job: PlacedJob,
  runners: readonly PlacedRunner[],
  rules: PlacementRules,
): [isolation: Check, queue: Check, machine: Check] {
  const isolating = runners.filter((runner) => canIsolate(job, runner, rules))
  const able = isolating.filter((runner) => takes(runner, job))
  const hasQueue = isolating.length === 0 || able.length > 0
  const hasMachine =
    able.length === 0 || rules.otherMachines === 'run' || able.some((runner) => fits(job, runner))
  const says = hasMachine ? {} : { says: noSuchRunner(job, able) }
  return [
    isolationCheck(runners.length === 0 || isolating.length > 0, job.without_approval),
    check('queue', hasQueue, hasQueue ? {} : { says: noRunnerTakes(job.queue) }),
    check('machine', hasMachine, says),
  ]
}

function noRunnerTakes(queue: string): string {
  return `no runner that is alive takes its queue "${queue}": name the queue in RUNNER_QUEUES of one`
}
