import { check } from '../domain/request/check.ts'
import { setChecks } from '../store/waiting-jobs.ts'
import type { Context } from './context.ts'

/** Stores on a queued job that it waits for the code host. Claiming the job clears it. */
export async function noteJobWaiting(
  { db }: Context,
  jobId: number,
  reason: string,
): Promise<void> {
  await setChecks(db, [{ id: jobId, checks: [check('codehost', false, { says: reason })] }])
}
