import type { Paged } from '../../store/page.ts'
import type { Call, RecordSteps } from '../endpoint.ts'
import { acceptedBy, type Collection } from './collection.ts'
import { type ListQuery, readListQuery } from './list-query.ts'
import { asPage } from './presented.ts'

type Steps<R, Rights extends { read: boolean }> = Pick<
  RecordSteps<R, Rights, never, undefined>,
  'type' | 'login' | 'find' | 'rights' | 'right'
>

/** The steps of an endpoint that shows one page of a record's list. */
export function pageSteps<T extends object, R, Rights extends { read: boolean }>(
  collection: Collection<T>,
  steps: Steps<R, Rights>,
  read: (call: Call, record: NoInfer<R>, query: ListQuery) => Promise<Paged<T>>,
) {
  return {
    ...steps,
    accepts: acceptedBy(collection),
    async act(call: Call, record: NoInfer<R>) {
      const query = readListQuery(collection, call.given)
      return { query, page: await read(call, record, query) }
    },
    present: asPage(collection),
  }
}
