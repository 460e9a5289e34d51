import { lastPart } from '../domain/log.ts'
import { insertParts } from '../store/logs.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { finishJob } from './finish-job.ts'

/** Ends a run whose commit the code host will not hand out, however often it is asked. */
export async function endUnfetched(ctx: Context, run: Run, why: string): Promise<void> {
  const content =
    `\u001B[31;1mThe commit cannot be fetched: ${why}. ` +
    'Nothing was run; restart the job when that is mended.\u001B[0m\r\n'
  await insertParts(ctx.db, run, [{ number: lastPart, content, final: true }])
  await finishJob(ctx, run, 'errored')
}
