import { type CloneSource, CodehostError } from '../codehost/codehost.ts'
import type { Job } from '../domain/job.ts'
import { findRepository } from '../store/repositories.ts'
import type { Context } from './context.ts'
import { atCodehost } from './repository/at-codehost.ts'

/** The source that a job's commit is fetched from, with a credential for the fetch. */
export async function findSource(ctx: Context, job: Job): Promise<CloneSource> {
  const repository = await findRepository(ctx.db, { id: job.repository_id })
  if (!repository) {
    throw new CodehostError('the repository of this job is deleted', { kind: 'missing' })
  }
  const { codehost, ref } = await atCodehost(ctx, repository)
  return codehost.cloneSource(ref)
}
