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
}

export interface PlacedJob extends AskedMachine {
  /** Provider of the job's repository. */
  provider: Provider
}

export interface PlacementRules {
  jobsWithoutIsolation: boolean
  otherMachines: OtherMachines
}

/** Whether a runner can run a job, as far as isolation is concerned (D41). */
export function canIsolate(
  job: Pick<PlacedJob, 'provider'>,
  runner: Pick<PlacedRunner, 'isolation'>,
  rules: Pick<PlacementRules, 'jobsWithoutIsolation'>,
): boolean {
  return rules.jobsWithoutIsolation || isolates(runner) || !needsIsolation(job)
}

/** Whether a job has a runner, and one on the requested machine; both pass while no runner is known. */
export function placementChecks(
  job: PlacedJob,
  runners: readonly PlacedRunner[],
  rules: PlacementRules,
): [isolation: Check, machine: Check] {
  const able = runners.filter((runner) => canIsolate(job, runner, rules))
  const hasMachine =
    able.length === 0 || rules.otherMachines === 'run' || able.some((runner) => fits(job, runner))
  const says = hasMachine ? {} : { says: noSuchRunner(job, able) }
  return [
    isolationCheck(runners.length === 0 || able.length > 0),
    check('machine', hasMachine, says),
  ]
}
