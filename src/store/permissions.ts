import type { Permission } from '../domain/repository.ts'
import type { Database } from './tables.ts'

export async function putPermission(db: Database, permission: Permission): Promise<void> {
  await db
    .insertInto('permissions')
    .values(permission)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'repository_id']).doUpdateSet(permission),
    )
    .execute()
}

/** The ids of those repositories that the user has any permission on. */
export async function permittedAmong(
  db: Database,
  repositoryIds: readonly number[],
  userId: number | undefined,
): Promise<Set<number>> {
  if (userId === undefined || repositoryIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('permissions')
    .select('repository_id')
    .where('user_id', '=', userId)
    .where('repository_id', 'in', repositoryIds)
    .execute()
  return new Set(rows.map(({ repository_id }) => repository_id))
}
