import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Build, BuildState } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import type { Request } from '../../domain/request/request.ts'
import { secondsAgo } from '../sql/age.ts'
import { runPreparedFirst, runPreparedOne } from '../sql/prepared-statements.ts'
import { visibleTo } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'

/** A row whose sender can be looked up as the row is written. */
export type NewRequest = Omit<Insertable<Tables['requests']>, 'sender_id'> & {
  sender_id?: number | null | RawBuilder<number | null>
}

export function insertRequest(db: Database, request: NewRequest): Promise<Request> {
  return runPreparedOne(db, db.insertInto('requests').values(request).returningAll())
}

export function findRequest(db: Database, id: number): Promise<Request | undefined> {
  return db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findRequestOfBuild(db: Database, buildId: number): Promise<Request | undefined> {
  return db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', (eb) =>
      eb.selectFrom('builds').select('builds.request_id').where('builds.id', '=', buildId),
    )
    .executeTakeFirst()
}

/** The ref and the head that a build's request named, and the commit that is built. */
export function refsOfBuild(
  db: Database,
  { request_id, commit_id }: Pick<Build, 'request_id' | 'commit_id'>,
): Promise<Pick<Request, 'ref' | 'head_commit'> & Pick<Commit, 'sha'>> {
  const refs = db
    .selectFrom('requests')
    .innerJoin('commits', (join) => join.on('commits.id', '=', commit_id))
    .select(['requests.ref', 'requests.head_commit', 'commits.sha'])
    .where('requests.id', '=', request_id)
  return runPreparedOne(db, refs)
}

/** Stores the action of the code host's event that a request is for. */
export function setRequestAction(
  db: Database,
  id: number,
  action: string,
): Promise<Request | undefined> {
  return db
    .updateTable('requests')
    .set({ action })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** The newest request for this head of a pull request. */
export function findRequestOfHead(
  db: Database,
  { pull_request_id, head_commit }: { pull_request_id: number; head_commit: string },
): Promise<Pick<Request, 'id'> | undefined> {
  return db
    .selectFrom('requests')
    .select('id')
    .where('pull_request_id', '=', pull_request_id)
    .where('head_commit', '=', head_commit)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface NewestRequest extends Pick<
  Request,
  'id' | 'action' | 'head_commit' | 'base_ref' | 'reason'
> {
  /** State of the request's build. */
  state: BuildState | null
  is_recent: boolean
}

/** The newest request for a pull request at this ref, and whether it is at most `seconds` old. */
export function newestRequestOfPull(
  db: Database,
  { pull_request_id, ref }: { pull_request_id: number; ref: string },
  seconds: number,
): Promise<NewestRequest | undefined> {
  return db
    .selectFrom('requests')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .select(['requests.id', 'action', 'head_commit', 'base_ref', 'reason', 'builds.state'])
    .select(sql<boolean>`requests.created_at >= ${secondsAgo(seconds)}`.as('is_recent'))
    .where('requests.pull_request_id', '=', pull_request_id)
    .where('ref', '=', ref)
    .orderBy('requests.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Number of requests by API that a repository had in the last `seconds`, and the ages in seconds of the
 * newest of them and of the request that counts for `most`: the next request is possible when it is too old.
 */
export async function recentApiRequests(
  db: Database,
  repositoryId: number,
  { seconds, most }: { seconds: number; most: number },
): Promise<{ count: number; newest: number | null; blocking: number | null }> {
  const age = sql<number>`extract(epoch from now() - created_at)::float8`
  return db
    .selectFrom('requests')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number | null>`min(${age})`.as('newest'),
      sql<number | null>`(array_agg(${age} order by created_at desc))[${most}::int]`.as('blocking'),
    ])
    .where('repository_id', '=', repositoryId)
    .where('event_type', '=', 'api')
    .where('created_at', '>', secondsAgo(seconds))
    .executeTakeFirstOrThrow()
}

/** The request that a webhook created. */
export function findRequestOfDelivery(
  db: Database,
  deliveryId: number,
): Promise<Request | undefined> {
  const made = db.selectFrom('requests').selectAll().where('delivery_id', '=', deliveryId)
  return runPreparedFirst(db, made)
}

/** The requests for this commit at this ref. */
export function requestsOfRef(
  db: Database,
  { repository_id, ref }: Pick<Request, 'repository_id' | 'ref'>,
  head_commit: string,
): Promise<Pick<Request, 'id' | 'repository_id'>[]> {
  return db
    .selectFrom('requests')
    .select(['id', 'repository_id'])
    .where('repository_id', '=', repository_id)
    .where('ref', '=', ref)
    .where('head_commit', '=', head_commit)
    .orderBy('id')
    .execute()
}

/** The requests of a repository that were rejected or are undecided, newest first. */
export function unbuiltRequests(
  db: Database,
  repositoryId: number,
  viewerId: number | undefined,
  limit: number,
): Promise<Request[]> {
  return db
    .selectFrom('requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where((eb) => eb.or([eb('result', 'is', null), eb('result', '=', 'rejected')]))
    .where(visibleTo(viewerId, 'requests'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
