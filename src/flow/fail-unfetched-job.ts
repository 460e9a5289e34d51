import { lastPart } from '../domain/log.ts'
import { couldNotFetch } from '../domain/log-endings.ts'
import { insertParts } from '../store/logs.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { finishJob } from './finish-job.ts'

/** Ends a run whose commit the code host will not hand out, however often it is asked. */
export async function failUnfetchedJob(ctx: Context, run: Run, why: string): Promise<void> {
  const content = couldNotFetch(why)
  await insertParts(ctx.db, run, [{ number: lastPart, content, final: true }])
  await finishJob(ctx, run, 'errored')
}
