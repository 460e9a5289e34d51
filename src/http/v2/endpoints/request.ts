import { requestRights } from '../../../access/build-rights.ts'
import type { Commit, PullRequest } from '../../../domain/commit.ts'
import type { Request } from '../../../domain/request.ts'
import { buildIdsOfRequests } from '../../../store/builds.ts'
import { commitsByIds } from '../../../store/commits.ts'
import { pullRequestsByIds } from '../../../store/linked-records.ts'
import { requestsOfRepository } from '../../../store/requests.ts'
import { findSeenRequest } from '../../../store/seen.ts'
import type { Database } from '../../../store/tables.ts'
import { byId } from '../../by-id.ts'
import { get } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { integerPrefix } from '../../parameters/kinds.ts'
import { repositoryInQuery, repositoryNames } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentCommit } from '../present/commit.ts'
import { presentRequest } from '../present/request.ts'
import { refusals } from '../refusals.ts'

export const requestEndpoints = [
  get('/requests', {
    ...repositoryInQuery,
    right: 'read',
    docs: { schema: answers.requests },
    accepts: { ...repositoryNames, limit: integerPrefix(100), older_than: integerPrefix() },
    async act({ ctx }, repository, { limit = 0, older_than }) {
      // An invalid limit counts as the default, and more than 100 as 100.
      const page = { limit: limit > 0 ? limit : 25, older_than }
      return withRecords(ctx.db, await requestsOfRepository(ctx.db, repository, page))
    },
    present: ({ requests, commits }) => ({ requests, commits: commits.map(presentCommit) }),
    missing: () => refusals.notFoundText('Repository could not be found'),
  }),

  get('/requests/:request', {
    type: 'request',
    find: (call) => findRecord(call, call.params.request, findSeenRequest),
    rights: requestRights,
    right: 'read',
    docs: { schema: answers.request },
    version: ({ version }) => version,
    act: ({ ctx }, request) => withRecords(ctx.db, [request]),
    present: ({ requests, commits }) => ({
      request: requests[0],
      commit: commits[0] ? presentCommit(commits[0]) : null,
    }),
  }),
]

interface PresentedRequests {
  requests: ReturnType<typeof presentRequest>[]
  commits: Commit[]
}

async function withRecords(db: Database, requests: readonly Request[]): Promise<PresentedRequests> {
  const ids = <K extends 'commit_id' | 'pull_request_id'>(key: K) =>
    requests.map((request) => request[key]).filter((id) => id !== null)
  const [commits, pulls, builds] = await Promise.all([
    commitsByIds(db, ids('commit_id')),
    pullRequestsByIds(db, ids('pull_request_id')),
    buildIdsOfRequests(
      db,
      requests.map(({ id }) => id),
    ),
  ])
  const commitOf = byId(commits)
  const pullOf = byId<PullRequest>(pulls)
  const presented = requests.map((request) =>
    presentRequest(request, {
      commit: commitOf(request.commit_id),
      pull: pullOf(request.pull_request_id),
      build_id: builds.get(request.id) ?? null,
    }),
  )
  return { requests: presented, commits }
}
