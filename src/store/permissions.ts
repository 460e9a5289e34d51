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
