import { requestStates } from '../../../domain/request/request.ts'
import { requestsInRepository } from '../../../store/requests/listed-requests.ts'
import { anyOf, time } from '../../parameters/kinds.ts'
import { described, allUnlisted, ofType } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { createRequestAction } from './create-request.ts'
import { request } from './request.ts'

const filters = {
  branch: described('names of branches', anyOf()),
  result: described('the decision: approved or rejected', anyOf()),
  state: described(`any of ${requestStates.join(', ')}`, anyOf()),
  from: described('only requests created at or after this time, like 2026-01-02T12:00:00Z', time()),
  to: described('only requests created at or before this time, like 2026-01-02T12:00:00Z', time()),
}

export const requests = collectionOf<Models['request']>()({
  type: 'requests',
  of: request,
  limit: 25,
  filters: { ...ofType('requests', filters), ...allUnlisted(ofType('request', filters)) },
})

export const requestsActions = actionsOf(requests, {
  find: get(
    repositoryTemplates('/requests'),
    pageSteps(
      requests,
      {
        ...oneRepository,
        right: 'read',
        docs: {
          summary:
            'the requests of a repository, whether they led to a build or not, the newest first',
        },
      },
      async ({ ctx }, repository, query) => {
        const { filters: given } = query
        const results = [...given['request.result'], ...given['requests.result']]
        const filter = {
          branches: [...given['request.branch'], ...given['requests.branch']],
          results: results.map((word) => (word === 'approved' ? 'accepted' : word)),
          states: [...given['request.state'], ...given['requests.state']],
          from: given['request.from'] ?? given['requests.from'],
          to: given['request.to'] ?? given['requests.to'],
        }
        const { records, count } = await requestsInRepository(ctx.db, repository, filter, query)
        return { records: records.map((record) => ({ ...record, repository })), count }
      },
    ),
  ),
  create: createRequestAction,
})
