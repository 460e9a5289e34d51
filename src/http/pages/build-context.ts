import type { Build } from '../../domain/build.ts'
import { findCommit } from '../../store/commits.ts'
import { findPullRequest } from '../../store/pull-requests.ts'
import { findRequest } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'
import type { InRepository } from '../find-record.ts'

/** The records that both the page of a build and the pages of its jobs show. */
export async function buildContextOf(db: Database, build: InRepository<Build>) {
  const { commit_id, pull_request_id, request_id, repository } = build
  const [commit, pullRequest, request] = await Promise.all([
    findCommit(db, commit_id),
    pull_request_id === null ? undefined : findPullRequest(db, pull_request_id),
    findRequest(db, request_id),
  ])
  if (!commit) throw new Error(`build ${build.id} has lost its commit`)
  // As the API shows it: the build of a merge queue comes from no fork, wherever its pull request comes from.
  const fromFork = request?.from_fork ?? true
  return { repository, build, commit, pullRequest: pullRequest ?? null, request, fromFork }
}
