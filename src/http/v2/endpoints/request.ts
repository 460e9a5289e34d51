import { requestRights } from '../../../access/build-rights.ts'
import { findSeenRequest } from '../../../store/repositories/repository-access.ts'
import {
  type ListedRequest,
  listRequests,
  recordsOfRequest,
} from '../../../store/requests/request-records.ts'
import { get } from '../../core/endpoint.ts'
import { findRecord } from '../../core/path-id.ts'
import { integerPrefix, pageLimit } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { repositoryInQuery, repositoryNames } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentCommit, presentCommitsOf } from '../present/commit.ts'
import { presentRequest } from '../present/request.ts'
import { refusals } from '../refusals.ts'

export const requestEndpoints = [
  get('/requests', {
    ...repositoryInQuery,
    right: 'read',
    docs: { summary: 'the requests of a repository, built or not', schema: answers.requests },
    accepts: {
      ...repositoryNames,
      limit: described('how many are listed', pageLimit(25, 100)),
      older_than: described('the id of a request: only older ones are listed', integerPrefix()),
    },
    act: ({ ctx }, repository, page) => listRequests(ctx.db, repository, page),
    present: (listed) => ({ requests: listed.map(presented), commits: presentCommitsOf(listed) }),
    missing: () => refusals.notFoundText('Repository could not be found'),
  }),

  get('/requests/:request', {
    type: 'request',
    find: (call) => findRecord(call, call.params.request, findSeenRequest),
    rights: requestRights,
    right: 'read',
    docs: { summary: 'a request, with its outcome', schema: answers.request },
    version: ({ version }) => version,
    act: async ({ ctx }, request) => ({ request, ...(await recordsOfRequest(ctx.db, request)) }),
    present: (shown) => ({
      request: presented(shown),
      commit: shown.commit && presentCommit(shown.commit),
    }),
  }),
]

const presented = ({ request, ...records }: ListedRequest) => presentRequest(request, records)
