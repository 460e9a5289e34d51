import type { Permission, Role } from '../domain/repository.ts'
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

/** The roles that the user has on those repositories, by the repositories' ids. */
export async function rolesOn(
  db: Database,
  repositoryIds: readonly number[],
  userId: number | undefined,
): Promise<Map<number, Role>> {
  if (userId === undefined || repositoryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('permissions')
    .select(['repository_id', 'pull', 'push', 'admin'])
    .where('user_id', '=', userId)
    .where('repository_id', 'in', repositoryIds)
    .execute()
  return new Map(rows.map(({ repository_id, ...role }) => [repository_id, role]))
}

/** The roles of a user on all repositories, in the order of their ids. */
export function rolesOfUser(db: Database, userId: number): Promise<Omit<Permission, 'user_id'>[]> {
  return db
    .selectFrom('permissions')
    .select(['repository_id', 'pull', 'push', 'admin'])
    .where('user_id', '=', userId)
    .orderBy('repository_id')
    .execute()
}
