import { type CloneSource, CodehostError } from '../codehost/codehost.ts'
import { readCheckout } from '../script/checkout.ts'
import type { JobToRun } from '../store/jobs-to-run.ts'
import type { Context } from './context.ts'
import { atCodehost } from './repository/at-codehost.ts'

/**
 * The source that a job's commit is fetched from, with a credential for the fetch. There is none where
 * nothing is fetched, so that such jobs run while the code host is away, nor for a fork where everyone can
 * fetch: an Enterprise Server may have even public repositories read only by those who have logged in.
 */
export async function findSource(
  ctx: Context,
  { job, repository, from_fork }: Pick<JobToRun, 'job' | 'repository' | 'from_fork'>,
): Promise<CloneSource> {
  if (!repository) {
    throw new CodehostError('the repository of this job is deleted', { kind: 'missing' })
  }
  const { codehost, ref } = atCodehost(ctx, repository)
  const isOpen = ctx.config.gheHost === undefined && !repository.private
  const withToken = readCheckout(job.config.git).clone && !(from_fork && isOpen)
  // One that was refused may be what a job has been lost for.
  return codehost.cloneSource(ref, { withToken, isNew: job.retries > 0 })
}
