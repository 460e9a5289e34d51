import { sql, type Updateable } from 'kysely'
import type { Commit } from '../../domain/commit/commit.ts'
import type { FoundRepository, Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { defaultSettings, type Settings } from '../../domain/settings.ts'
import { senderIsBlocked } from '../people/blocked-senders.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { IdPage } from '../sql/all-ids.ts'
import { commitIn, repositoryIn, type Written } from '../sql/json-rows.ts'
import { runPreparedFirst } from '../sql/prepared-statements.ts'
import { withoutWaiting } from '../sql/transaction.ts'
import { privateByNow } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'

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
