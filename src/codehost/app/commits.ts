import { longestMessage } from '../../domain/commit/commit.ts'
import { withoutEnd } from '../../domain/time/without-end.ts'
import type { FoundCommit, RepositoryRef } from '../codehost.ts'
import { isRefName, isSha } from '../ref-names.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Comparison = ResponseData<'repos', 'compareCommitsWithBasehead'>
type Commit = ResponseData<'repos', 'getCommit'>

/** The commit to which a sha, a branch or a tag points. */
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

/** GitHub accepts `heads/main` for a branch only. */
export async function findTip(
  app: App,
  repository: RepositoryRef,
  ref: string,
): Promise<string | undefined> {
  return (await findCommit(app, repository, ref.replace(/^refs\//, '')))?.sha
}

/** Whether `sha` equals `other` or is its ancestor. */
export async function isBehind(
  { find }: App,
  repository: RepositoryRef,
  sha: string,
  other: string,
): Promise<boolean> {
  if (sha === other) return true
  if (!isSha(sha) || !isSha(other)) return false
  const route = 'GET /repositories/{id}/compare/{basehead}'
  const found = await find<Comparison>(scopeOf(repository), route, {
    id: repository.codehost_id,
    basehead: `${other}...${sha}`,
    // Limits the list of commits, which is not used.
    per_page: 1,
  })
  return found?.status === 'behind'
}

function commitFacts({ sha, parents, commit }: Commit): FoundCommit {
  const { message, author, committer } = commit
  const at = new Date(committer?.date ?? Number.NaN)
  return {
    sha,
    parents: parents.map((parent) => parent.sha),
    message: withoutEnd(message.slice(0, longestMessage), '\n'),
    committed_at: Number.isNaN(at.getTime()) ? null : at,
    author_name: author?.name ?? null,
    author_email: author?.email ?? null,
    committer_name: committer?.name ?? null,
    committer_email: committer?.email ?? null,
  }
}
