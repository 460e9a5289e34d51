import { type Expression, type SqlBool, sql } from 'kysely'
import type { Repository, Seen } from '../../domain/repository.ts'
import type { Request, RequestMessage } from '../../domain/request/request.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { largestId } from '../repositories/repositories.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { visibleIn } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** Selects requests of a repository; an empty list, or an undefined time, does not filter. */
export interface RequestFilter {
  branches: readonly string[]
  results: readonly string[]
  states: readonly string[]
  from: Date | undefined
  to: Date | undefined
}

/** One page of the requests that the viewer of their repository can see, newest first. */
export function requestsInRepository(
  db: Database,
  repository: Seen<Repository>,
  { branches, results, states, from, to }: RequestFilter,
  page: Page,
): Promise<Paged<Request>> {
  const query = db
    .selectFrom('requests')
    .selectAll()
    .where('requests.repository_id', '=', repository.id)
    .where(visibleIn(repository, 'requests'))
    .where(
      where(
        branches.length > 0,
        sql`requests.commit_id in (
          select id from commits
          where repository_id = ${repository.id} and branch = ${anyOf(branches)})`,
      ),
    )
    .where(where(results.length > 0, sql`result = ${anyOf(results)}`))
    .where(where(states.length > 0, sql`state = ${anyOf(states)}`))
    .where(where(from !== undefined, sql`created_at >= ${from ?? null}`))
    .where(where(to !== undefined, sql`created_at < ${to ? nextSecond(to) : null}`))
  return readPage(db, query, { ...page, sort: [] }, {}, sql`requests.id desc`)
}

/** Times are shown in whole seconds, so a shown time includes everything up to the next second. */
const nextSecond = (time: Date) => new Date((Math.floor(time.getTime() / 1000) + 1) * 1000)

const where = (isFiltered: boolean, condition: Expression<SqlBool>) =>
  isFiltered ? condition : sql<SqlBool>`true`

const anyOf = (texts: readonly string[]) => sql`any(${texts.filter(isStorable)}::text[])`

/** A request of this repository, if its viewer can see it. */
export function findRequestIn(
  db: Database,
  repository: Seen<Repository>,
  id: number,
): Promise<Request | undefined> {
  if (id > largestId) return Promise.resolve(undefined)
  return db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id)
    .where('repository_id', '=', repository.id)
    .where(visibleIn(repository, 'requests'))
    .executeTakeFirst()
}

/** One page of the messages about a request's configuration, the most severe first. */
export function messagesInRequest(
  db: Database,
  requestId: number,
  page: Page,
): Promise<Paged<RequestMessage>> {
  const query = db
    .selectFrom('request_messages')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy(sql`array_position(array['alert','error','warn','info'], level)`)
  return readPage(db, query, { ...page, sort: [] }, {}, sql`id`)
}

/** The requests whose commit or head begins with these digits, newest first. */
export function requestsOfCommit(db: Database, digits: string, limit: number): Promise<Request[]> {
  const named = `${digits}%`
  return db
    .selectFrom('requests')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('head_commit', 'like', named),
        eb('after_sha', 'like', named),
        eb('commit_id', 'in', eb.selectFrom('commits').select('id').where('sha', 'like', named)),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
