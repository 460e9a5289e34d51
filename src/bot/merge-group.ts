import type { Context } from 'probot'
import type { MergeGroupEvent } from '../domain/event.ts'
import { commitFacts, factsOf, type Origin } from './payload.ts'

/** Undefined without a repository, which the code host's own description allows. */
export function mergeGroupEvent(
  { repository, ...payload }: Context<'merge_group'>['payload'],
  origin: Origin,
): MergeGroupEvent | undefined {
  if (!repository) return undefined
  const { action, merge_group: group } = payload
  return {
    ...factsOf({ ...payload, repository }, origin),
    type: 'merge_group',
    action,
    ref: group.head_ref,
    base: { sha: group.base_sha, ref: group.base_ref },
    reason: 'reason' in payload ? (payload.reason ?? null) : null,
    head_commit: { ...commitFacts(group.head_commit), sha: group.head_sha },
  }
}
