import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'

const starredOf = prepared<{ repository_id: number }>(`
  select repository_id from stars where user_id = $1 and repository_id = any(${listed('$2', 'bigint[]')})
`)

/** The ids of those repositories that the user has starred; empty for an anonymous viewer. */
export async function starredAmong(
  db: Database,
  userId: number | undefined,
  repositories: readonly { id: number }[],
): Promise<Set<number>> {
  if (userId === undefined || repositories.length === 0) return new Set()
  const ids = repositories.map(({ id }) => id)
  const rows = await starredOf(db, userId, ids)
  return new Set(rows.map(({ repository_id }) => repository_id))
}

/** Returns whether the user had not starred it yet. */
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

/** Returns whether the user had starred it. */
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
