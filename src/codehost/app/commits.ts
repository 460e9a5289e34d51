import type { FoundCommit, RepositoryRef } from '../codehost.ts'
import { isRefName, isSha } from '../ref-names.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Commit = ResponseData<'repos', 'getCommit'>

/** The commit that a sha, a branch or a tag stands for. */
export async function findCommit(
  { find }: App,
  repository: RepositoryRef,
  ref: string,
): Promise<FoundCommit | undefined> {
  if (!isSha(ref) && !isRefName(ref)) return undefined
  const found = await find<Commit>(scopeOf(repository), 'GET /repositories/{id}/commits/{ref}', {
    id: repository.codehost_id,
    ref,
    // Limits the list of changed files, which is not used.
    per_page: 1,
  })
  return found && commitFacts(found)
}

function commitFacts({ sha, parents, commit }: Commit): FoundCommit {
  const { message, author, committer } = commit
  const at = new Date(committer?.date ?? Number.NaN)
  return {
    sha,
    parents: parents.map((parent) => parent.sha),
    message: message.replace(/\n+$/, ''),
    committed_at: Number.isNaN(at.getTime()) ? null : at,
    author_name: author?.name ?? null,
    author_email: author?.email ?? null,
    committer_name: committer?.name ?? null,
    committer_email: committer?.email ?? null,
  }
}
