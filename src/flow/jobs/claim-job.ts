import type { Job } from '../../domain/job/job.ts'
import {
  type AskedMachine,
  fits,
  type Machine,
  machineText,
  unmetPart,
} from '../../domain/job/machine.ts'
import { check } from '../../domain/request/check.ts'
import { receiveJob } from '../../store/jobs/jobs.ts'
import { endRevoked, renewLease } from '../../store/jobs/leases.ts'
import { setChecks } from '../../store/jobs/waiting-jobs.ts'
import type { Context, FlowConfig } from '../context.ts'

/** One run of a job. It is part of everything that the run reports. */
export interface Run {
  job_id: number
  attempt: number
}

/** Seconds without a renewal after which a claim is lost (RN-30). */
export const leaseSeconds = 60

/** Seconds after which a canceled run has ended: its runner notices that, ends it within its grace, or is gone. */
export function endSeconds({ cancelGraceSeconds }: Pick<FlowConfig, 'cancelGraceSeconds'>): number {
  return leaseSeconds + cancelGraceSeconds
}

/** Stores that nothing of a canceled run is left, so that its job can be claimed again. */
export function endFormerRun({ db }: Pick<Context, 'db'>, run: Run): Promise<void> {
  return endRevoked(db, run)
}

/**
 * Claims a queued job for a runner and begins its next attempt, with an empty log. Undefined if the job
 * is no longer queued: canceled, or claimed by another runner.
 */
export function claimJob(
  { db }: Pick<Context, 'db'>,
  jobId: number,
  runnerId: string,
  other: OtherMachine | null = null,
): Promise<Job | undefined> {
  return receiveJob(db, jobId, runnerId, other ?? { unmet: null, found_machine: null })
}

export type OtherMachine = Pick<Job, 'unmet' | 'found_machine'>

/** The stored facts about a runner that is not the machine that a job requests; null if it is. */
export function otherMachine(job: AskedMachine, machine: Machine): OtherMachine | null {
  if (fits(job, machine)) return null
  return { unmet: unmetPart(job, [machine]), found_machine: machineText(machine) }
}

/** Stores on a queued job that it waits for the code host. Claiming the job clears it. */
export async function noteJobWaiting(
  { db }: Context,
  jobId: number,
  reason: string,
): Promise<void> {
  await setChecks(db, [{ id: jobId, checks: [check('codehost', false, { says: reason })] }])
}

/** Renews the claim of a run. False when it is gone: stop the run and report nothing. */
export function renewClaim(ctx: Context, run: Run): Promise<boolean> {
  return renewLease(ctx.db, run)
}
