import type { Context } from '../../src/flow/context.ts'
import { prepareJob, type PreparedJob } from '../../src/flow/jobs/prepare-job.ts'
import { readJobSecrets } from '../../src/flow/secrets/job-secrets.ts'
import { findJobToRun } from '../../src/store/jobs/jobs-to-run.ts'

/** The programs and limits that a runner of this machine gets for a job. */
export async function preparedJob(ctx: Context, id: number): Promise<PreparedJob> {
  const run = await findJobToRun(ctx.db, id)
  if (!run) throw new Error(`job ${id} is not there`)
  const source = { kind: 'folder', path: '/nowhere' } as const
  return prepareJob(ctx, run, source, await readJobSecrets(ctx, run))
}
