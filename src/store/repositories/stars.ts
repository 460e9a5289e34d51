import { together } from '../sql/batched-query.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** A user, and the repositories that may be starred. */
interface Asked {
  userId: number
  ids: readonly number[]
}

const starredOf = prepared<{ user_id: number; repository_id: number }>(`
  select user_id, repository_id from stars
  where (user_id, repository_id) in (
    select * from unnest(${listed('$1', 'bigint[]')}, ${listed('$2', 'bigint[]')}))
`)

const read = together(async (db, asked: readonly Asked[]) => {
  const rows = await starredOf(
    db,
    asked.flatMap(({ userId, ids }) => ids.map(() => userId)),
    asked.flatMap(({ ids }) => ids),
  )
  const starred = new Set(rows.map(({ user_id, repository_id }) => `${user_id}/${repository_id}`))
  return asked.map(({ userId, ids }) => new Set(ids.filter((id) => starred.has(`${userId}/${id}`))))
})

/** The ids of the repositories that the user has starred; empty for an anonymous viewer. */
export async function starredAmong(
  db: Database,
  userId: number | undefined,
  repositories: readonly { id: number }[],
): Promise<Set<number>> {
  if (userId === undefined || repositories.length === 0) return new Set()
  return read(db, { userId, ids: repositories.map(({ id }) => id) })
}

/** Returns whether the user had not starred the repository yet. */
export async function insertStar(
  db: Database,
  user_id: number,
  repository_id: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('stars')
    .values({ user_id, repository_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Returns whether the user had starred the repository. */
export async function deleteStar(
  db: Database,
  userId: number,
  repositoryId: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('stars')
    .where('user_id', '=', userId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
}
