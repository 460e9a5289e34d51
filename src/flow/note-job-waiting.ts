import { check } from '../domain/check.ts'
import { setChecks } from '../store/jobs.ts'
import type { Context } from './context.ts'

/** Says on a queued job that it waits for the code host. Claiming it clears that again. */
export async function noteJobWaiting({ db }: Context, jobId: number, why: string): Promise<void> {
  await setChecks(db, jobId, [check('codehost', false, { says: why })])
}
