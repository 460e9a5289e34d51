import type { Paged } from '../../../store/sql/page.ts'
import type { Call, OpenSteps, RecordSteps } from '../../core/endpoint.ts'
import type { Parameters } from '../../parameters/parameter.ts'
import { acceptedBy, type Collection } from './collection.ts'
import { type ListQuery, type ListValues, readListQuery } from './list-query.ts'
import { asList, asPage } from './presented.ts'
import { warn } from './warnings.ts'

type Steps<R, Rights extends { read: boolean }, P> = Omit<
  RecordSteps<R, Rights, never, P>,
  'accepts' | 'act' | 'present'
>

/** The steps of an endpoint that shows one page of a record's list. */
export function pageSteps<
  T extends object,
  Filters extends Parameters,
  R,
  Rights extends { read: boolean },
  P = undefined,
>(
  collection: Collection<T, Filters>,
  steps: Steps<R, Rights, P>,
  read: (call: Call, record: NoInfer<R>, query: ListQuery<Filters>) => Promise<Paged<T>>,
) {
  return {
    ...steps,
    accepts: acceptedBy(collection),
    async act(call: Call, record: NoInfer<R>, values: ListValues) {
      const query = queryOf(collection, call, values)
      return { query, page: await read(call, record, query) }
    },
    present: asPage(collection),
  }
}

/** The steps of an endpoint that shows a record's list without pages. */
export function listSteps<
  T extends object,
  Filters extends Parameters,
  R,
  Rights extends { read: boolean },
  P = undefined,
>(
  collection: Collection<T, Filters>,
  steps: Steps<R, Rights, P>,
  read: (call: Call, record: NoInfer<R>, query: ListQuery<Filters>) => Promise<readonly T[]>,
) {
  return {
    ...steps,
    accepts: acceptedBy(collection),
    act: (call: Call, record: NoInfer<R>, values: ListValues) =>
      read(call, record, queryOf(collection, call, values)),
    present: asList(collection),
  }
}

/**
 * The steps of an endpoint that shows one page of a list that is not below a record, such as the caller's own
 * list.
 */
export function openPageSteps<T extends object, Filters extends Parameters>(
  collection: Collection<T, Filters>,
  steps: Omit<OpenSteps, 'accepts' | 'answer'>,
  read: (call: Call, query: ListQuery<Filters>) => Promise<Paged<T>>,
) {
  const present = asPage(collection)
  return {
    ...steps,
    accepts: acceptedBy(collection),
    shows: present.shows,
    async answer(call: Call, values: ListValues) {
      const query = queryOf(collection, call, values)
      return present({ query, page: await read(call, query) })
    },
  }
}

function queryOf<Filters extends Parameters>(
  collection: Omit<Collection<never, Filters>, 'of'>,
  call: Call,
  values: ListValues,
): ListQuery<Filters> {
  return readListQuery(collection, values, (warning) => warn(call, warning))
}
