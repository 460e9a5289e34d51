import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Build, BuildState } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import type { FoundRepository, Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { defaultSettings, type Settings } from '../../domain/settings.ts'
import { senderIsBlocked } from '../people/blocked-senders.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { IdPage } from '../sql/all-ids.ts'
import { commitIn, repositoryIn, type Written } from '../sql/json-rows.ts'
import { runPreparedFirst, runPreparedOne } from '../sql/prepared-statements.ts'
import { withoutWaiting } from '../sql/transaction.ts'
import { privateByNow, visibleTo } from '../sql/visibility.ts'
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

/** Locks the request for the rest of the transaction, if it is still undecided. */
export function lockUndecidedRequest(db: Database, id: number): Promise<Request | undefined> {
  return db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'finished')
    .forUpdate()
    .executeTakeFirst()
}

/** Changes the request, unless it is decided already. */
export function updateUndecidedRequest(
  db: Database,
  id: number,
  changes: Updateable<Tables['requests']>,
): Promise<Request | undefined> {
  const updated = db
    .updateTable('requests')
    .set({ ...changes, private: privateByNow('requests'), updated_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '<>', 'finished')
    .returningAll()
  return runPreparedFirst(db, updated)
}

export interface BegunRequest {
  request: Request
  /** The settings of the request's repository. */
  settings: Settings
  sender_blocked: boolean
  /** Undefined if the repository is deleted, or another repository has its slug. */
  repository: FoundRepository | undefined
  /** The commit that the request names from its start, as a request of a push does. */
  commit: Commit | undefined
}

const repositoryOfRequest = sql<WrittenRepository | null>`(
  select json_build_object('repository', repositories, 'installation', installations.codehost_id)
  from repositories left join installations on installations.id = repositories.installation_id
  where repositories.id = requests.repository_id
    and repositories.deleted_at is null and repositories.invalidated_at is null
)`

interface WrittenRepository {
  repository: Written<Repository>
  /** The code host's id of the installation. */
  installation: number | null
}

function repositoryFoundIn({ repository, installation }: WrittenRepository): FoundRepository {
  return { ...repositoryIn(repository), installation_codehost_id: installation }
}

/**
 * Stores that work on the request begins. Undefined if the request is decided already, or waits for its
 * next lookup, with a tolerance of one second because a queue entry may come that early.
 */
export async function beginUndecidedRequest(
  db: Database,
  id: number,
  started_at: Date,
): Promise<BegunRequest | undefined> {
  const begun = db
    .updateTable('requests')
    .set((eb) => ({
      state: 'started',
      started_at: eb.fn.coalesce('started_at', eb.val(started_at)),
      updated_at: sql`now()`,
    }))
    .where('id', '=', id)
    .where('state', '<>', 'finished')
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', secondsAgo(-1))]))
    .where(withoutWaiting)
    .returningAll()
    .returning([
      sql<Partial<Settings> | null>`(
        select values from repository_settings
        where repository_settings.repository_id = requests.repository_id
      )`.as('given_settings'),
      senderIsBlocked.as('sender_blocked'),
      sql<Written<Commit> | null>`(
        select row_to_json(commits) from commits where commits.id = requests.commit_id
      )`.as('commit'),
      repositoryOfRequest.as('repository'),
    ])
  const row = await runPreparedFirst(db, begun)
  if (!row) return
  const { given_settings, sender_blocked, commit, repository, ...request } = row
  return {
    request,
    settings: { ...defaultSettings, ...given_settings },
    sender_blocked,
    commit: commit ? commitIn(commit) : undefined,
    repository: repository ? repositoryFoundIn(repository) : undefined,
  }
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

/** Makes the request wait for its next lookup. Undefined if another process has done so already. */
export function postponeRequest(
  db: Database,
  { id, waits }: Pick<Request, 'id' | 'waits'>,
  { seconds, message }: { seconds: number; message: string },
): Promise<Pick<Request, 'id'> | undefined> {
  return db
    .updateTable('requests')
    .set({ waits: waits + 1, message, retry_at: secondsAgo(-seconds), updated_at: sql`now()` })
    .where('id', '=', id)
    .where('waits', '=', waits)
    .where('state', '<>', 'finished')
    .returning('id')
    .executeTakeFirst()
}

/** Ends the pauses of a pull request's requests; returns the requests that were waiting. */
export async function releaseRequests(db: Database, pullRequestId: number): Promise<number[]> {
  const rows = await db
    .updateTable('requests')
    .set({ retry_at: null, updated_at: sql`now()` })
    .where('pull_request_id', '=', pullRequestId)
    .where('state', '<>', 'finished')
    .where('retry_at', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
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

/** A page of undecided, unpaused requests last updated at least `seconds` ago, in order of their ids. */
export async function undecidedRequests(
  db: Database,
  seconds: number,
  { after, most }: IdPage,
): Promise<number[]> {
  const rows = await db
    .selectFrom('requests')
    .select('id')
    .where('state', '<>', 'finished')
    .where('updated_at', '<=', secondsAgo(seconds))
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', databaseNow)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
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
