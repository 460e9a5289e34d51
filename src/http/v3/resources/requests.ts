import { wrongParams } from '../../../domain/errors.ts'
import { requestsInRepository } from '../../../store/listed-requests.ts'
import { timePattern } from '../../parameters/kinds.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import type { QueryOf } from '../list-query.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { createRequestAction } from './create-request.ts'
import { request } from './request.ts'

const names = ['branch', 'result', 'state', 'from', 'to'] as const
type FilterName = (typeof names)[number]

export const requests = collectionOf<Models['request']>()({
  type: 'requests',
  of: request,
  limit: 25,
  filters: names.map((name) => `request.${name}` as const),
  hidden: { filters: names.map((name) => `requests.${name}` as const) },
})

/** The texts of a filter, under whichever of its names they were given. */
const textsOf = (query: QueryOf<typeof requests>, name: FilterName): string[] =>
  (['request', 'requests'] as const).flatMap((type) => query.valuesOf(`${type}.${name}`))

function timeOf(query: QueryOf<typeof requests>, name: 'from' | 'to'): Date | undefined {
  const [text, ...others] = textsOf(query, name)
  if (text === undefined) return undefined
  const time = new Date(text)
  if (others.length > 0 || !new RegExp(timePattern).test(text) || Number.isNaN(time.getTime())) {
    throw wrongParams(`${name} must be a time like 2026-01-02T12:00:00Z`)
  }
  return time
}

export const requestsActions = actionsOf(requests, {
  find: get(
    repositoryTemplates('/requests'),
    pageSteps(requests, { ...oneRepository, right: 'read' }, async ({ ctx }, repository, query) => {
      const filter = {
        branches: textsOf(query, 'branch'),
        results: textsOf(query, 'result').map((word) => (word === 'approved' ? 'accepted' : word)),
        states: textsOf(query, 'state'),
        from: timeOf(query, 'from'),
        to: timeOf(query, 'to'),
      }
      const { records, count } = await requestsInRepository(ctx.db, repository, filter, query)
      return { records: records.map((record) => ({ ...record, repository })), count }
    }),
  ),
  create: createRequestAction,
})
