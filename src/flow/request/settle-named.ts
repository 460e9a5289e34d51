import { readRef } from '../../domain/event.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { CommitLookup } from './commit-lookup.ts'

/** Finds the commit that a request by API or cron names: by its id, else at the tip of its ref (RQ-22). */
export async function settleNamed(
  ctx: Context,
  repository: FoundRepository,
  { ref, after_sha, commit_message }: Request,
): Promise<CommitLookup> {
  const none = { commit: null, message: '', pull: null }
  if (ref === null) return none
  const { codehost, ref: address } = atCodehost(ctx, repository)
  const found = await codehost.commit(address, after_sha ?? ref)
  if (!found) return none
  const { parents: _parents, ...facts } = found
  const message = commit_message ?? facts.message
  const { kind, name } = readRef(ref)
  const commit = {
    row: null,
    facts: { ...facts, message },
    ref,
    branch: name,
    tag_name: kind === 'tag' ? name : null,
    compare_url: null,
  }
  return { commit, message, pull: null }
}
