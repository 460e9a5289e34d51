import { type Insertable, sql } from 'kysely'
import type { PullRequest } from '../../domain/commit/commit.ts'
import type { Request } from '../../domain/request/request.ts'
import { databaseNow } from '../sql/age.ts'
import { type Database, omit, type Tables } from '../tables.ts'

/** Creates the pull request, or updates the existing one. */
export function putPullRequest(
  db: Database,
  pull: Insertable<Tables['pull_requests']>,
): Promise<PullRequest> {
  return db
    .insertInto('pull_requests')
    .values(pull)
    .onConflict((conflict) =>
      conflict
        .columns(['repository_id', 'number'])
        .doUpdateSet({ ...omit(pull, 'repository_id', 'number'), updated_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The pull request of that number, which is created if no event has reported it yet. */
export async function ensurePullRequest(
  db: Database,
  pull: Insertable<Tables['pull_requests']>,
): Promise<PullRequest> {
  await db
    .insertInto('pull_requests')
    .values(pull)
    .onConflict((conflict) => conflict.columns(['repository_id', 'number']).doNothing())
    .execute()
  return db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', pull.repository_id)
    .where('number', '=', pull.number)
    .executeTakeFirstOrThrow()
}

/**
 * Stores that the code host shows a pull request as closed, unless an event has reported a later
 * change. The event about the closing may never arrive, or may look older than another event of the
 * same second.
 */
export async function closePull(
  db: Database,
  { pull_request_id }: Pick<Request, 'pull_request_id'>,
  { changed_at }: Pick<PullRequest, 'changed_at'>,
): Promise<void> {
  if (pull_request_id === null) return
  await db
    .updateTable('pull_requests')
    .set({ state: 'closed', updated_at: databaseNow })
    .where('id', '=', pull_request_id)
    .where('state', '=', 'open')
    .where((eb) => eb.or([eb('changed_at', 'is', null), eb('changed_at', '<=', changed_at)]))
    .execute()
}

export function findPullRequestOf(
  db: Database,
  repositoryId: number,
  number: number,
): Promise<PullRequest | undefined> {
  return db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export function findPullRequest(db: Database, id: number): Promise<PullRequest | undefined> {
  return db.selectFrom('pull_requests').selectAll().where('id', '=', id).executeTakeFirst()
}
