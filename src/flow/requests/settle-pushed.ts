import { CodehostError, type FoundCommit } from '../../codehost/codehost.ts'
import { readRef } from '../../domain/event.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { isYounger, longestLag, notShownYet } from './age.ts'
import type { CommitLookup } from './commit-lookup.ts'

/**
 * Finds the commit of a push whose event has only the commit's id. Throws as long as the code host may not
 * show the commit yet.
 */
export async function settlePushed(
  ctx: Context,
  repository: FoundRepository,
  request: Request,
): Promise<CommitLookup> {
  const none = { commit: null, message: '', pull: null }
  const { ref, after_sha } = request
  if (ref === null || after_sha === null) return none
  const found = await commitAt(ctx, repository, after_sha)
  if (!found) {
    if (await isYounger(ctx, request, longestLag)) throw notShownYet(after_sha)
    return none
  }
  const { parents: _parents, ...facts } = found
  const { kind, name } = readRef(ref)
  const tag_name = kind === 'tag' ? name : null
  const commit = { row: null, facts, ref, branch: name, tag_name, compare_url: null }
  return { commit, message: facts.message, pull: null }
}

/** Undefined also if the app cannot read the repository: later rules decide whether it is built at all. */
async function commitAt(
  ctx: Context,
  repository: FoundRepository,
  sha: string,
): Promise<FoundCommit | undefined> {
  try {
    const { codehost, ref } = atCodehost(ctx, repository)
    return await codehost.commit(ref, sha)
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return undefined
    throw error
  }
}
