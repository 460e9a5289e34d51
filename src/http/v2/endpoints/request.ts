import { requestRights } from '../../../access/build-rights.ts'
import type { Request } from '../../../domain/request/request.ts'
import {
  recordsOfRequest,
  recordsOfRequests,
  type RequestRecords,
} from '../../../store/request-records.ts'
import { requestsOfRepository } from '../../../store/requests.ts'
import { findSeenRequest } from '../../../store/seen.ts'
import { type Call, get } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { integerPrefix } from '../../parameters/kinds.ts'
import { repositoryInQuery, repositoryNames } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentCommit, presentCommitsOf } from '../present/commit.ts'
import { presentRequest } from '../present/request.ts'
import { refusals } from '../refusals.ts'

export const requestEndpoints = [
  get('/requests', {
    ...repositoryInQuery,
    right: 'read',
    docs: { schema: answers.requests },
    accepts: { ...repositoryNames, limit: integerPrefix(100), older_than: integerPrefix() },
    async act(call, repository, { limit = 0, older_than }) {
      // An invalid limit counts as the default, and more than 100 as 100.
      const page = { limit: limit > 0 ? limit : 25, older_than }
      return withRecords(call, await requestsOfRepository(call.ctx.db, repository, page))
    },
    present: (listed) => ({ requests: listed.map(presented), commits: presentCommitsOf(listed) }),
    missing: () => refusals.notFoundText('Repository could not be found'),
  }),

  get('/requests/:request', {
    type: 'request',
    find: (call) => findRecord(call, call.params.request, findSeenRequest),
    rights: requestRights,
    right: 'read',
    docs: { schema: answers.request },
    version: ({ version }) => version,
    act: async ({ ctx }, request) => ({ request, ...(await recordsOfRequest(ctx.db, request)) }),
    present: (shown) => ({
      request: presented(shown),
      commit: shown.commit && presentCommit(shown.commit),
    }),
  }),
]

type RequestWithRecords = RequestRecords & { request: Request }

async function withRecords(
  { ctx }: Call,
  requests: readonly Request[],
): Promise<RequestWithRecords[]> {
  const records = await recordsOfRequests(ctx.db, requests)
  return requests.flatMap((request, index) => {
    const found = records[index]
    return found ? { ...found, request } : []
  })
}

const presented = ({ request, ...records }: RequestWithRecords) => presentRequest(request, records)
