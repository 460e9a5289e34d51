import { readRef } from '../../domain/event.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { CommitLookup } from './commit-lookup.ts'

/**
 * Finds the commit that a request by API or cron names: by its id, else at the tip of its ref (RQ-22). By its id
 * only one that is on the ref: the code host knows those of forks as well, which no one has approved.
 */
export async function settleNamed(
  ctx: Context,
  repository: FoundRepository,
  { ref, after_sha, commit_message }: Request,
): Promise<CommitLookup> {
  const none = { commit: null, message: '', pull: null }
  if (ref === null) return none
  const { codehost, ref: address } = atCodehost(ctx, repository)
  const tip = await codehost.commit(address, ref)
  const found = after_sha === null ? tip : await codehost.commit(address, after_sha)
  if (!found) return none
  const on_ref = tip !== undefined && (await codehost.isBehind(address, found.sha, tip.sha))
  const named = after_sha === null ? {} : { named: { sha: found.sha, ref, on_ref } }
  if (!on_ref) return { ...none, ...named }
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
  return { commit, message, pull: null, ...named }
}
