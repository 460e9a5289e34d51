import type { Database } from './tables.ts'

/** The ids of those repositories that the user has starred; empty for an anonymous viewer. */
export async function starredAmong(
  db: Database,
  userId: number | undefined,
  repositories: readonly { id: number }[],
): Promise<Set<number>> {
  if (userId === undefined || repositories.length === 0) return new Set()
  const rows = await db
    .selectFrom('stars')
    .select('repository_id')
    .where('user_id', '=', userId)
    .where(
      'repository_id',
      'in',
      repositories.map(({ id }) => id),
    )
    .execute()
  return new Set(rows.map(({ repository_id }) => repository_id))
}
