import { type CloneSource, CodehostError } from '../codehost/codehost.ts'
import type { AddressedRepository } from '../domain/repository.ts'
import type { Context } from './context.ts'
import { atCodehost } from './repository/at-codehost.ts'

/** The source that a job's commit is fetched from, with a credential for the fetch. */
export async function findSource(
  ctx: Context,
  repository: AddressedRepository | null,
): Promise<CloneSource> {
  if (!repository) {
    throw new CodehostError('the repository of this job is deleted', { kind: 'missing' })
  }
  const { codehost, ref } = atCodehost(ctx, repository)
  return codehost.cloneSource(ref)
}
