import type { Build } from '../../domain/build.ts'
import { findCommit } from '../../store/commits/commits.ts'
import { findPullRequest } from '../../store/commits/pull-requests.ts'
import { findRequest } from '../../store/requests/requests.ts'
import type { Database } from '../../store/tables.ts'
import type { InRepository } from '../core/path-id.ts'

/** The records that both the page of a build and the pages of its jobs show. */
export async function buildContextOf(db: Database, build: InRepository<Build>) {
  const { commit_id, pull_request_id, request_id, repository } = build
  const [commit, pullRequest, request] = await Promise.all([
    findCommit(db, commit_id),
    pull_request_id === null ? undefined : findPullRequest(db, pull_request_id),
    findRequest(db, request_id),
  ])
  if (!commit) throw new Error(`build ${build.id} has lost its commit`)
  // As in the API, a merge queue's build never comes from a fork, even if its pull request does.
  const fromFork = request?.from_fork ?? true
  return { repository, build, commit, pullRequest: pullRequest ?? null, request, fromFork }
}
