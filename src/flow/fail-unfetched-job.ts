import { lastPart } from '../domain/log/log.ts'
import { couldNotFetch } from '../domain/log/log-endings.ts'
import { insertParts } from '../store/logs.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { finishJob } from './finish-job.ts'

/** Ends a run whose commit can never be fetched from the code host. */
export async function failUnfetchedJob(ctx: Context, run: Run, reason: string): Promise<void> {
  const content = couldNotFetch(reason)
  await insertParts(ctx.db, run, [{ number: lastPart, content, final: true }])
  await finishJob(ctx, run, 'errored')
}
