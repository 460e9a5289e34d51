import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import { together } from './together.ts'

type Role = 'admin' | 'member'

const memberships = prepared<{ user_id: number; organization_id: number; role: Role }>(`
  select user_id, organization_id, role from memberships
  where user_id = any(${listed('$1', 'bigint[]')}) order by organization_id
`)

/** The organizations that the user is a member of, by id, with the role. */
export const membershipsOf: (db: Database, userId: number) => Promise<ReadonlyMap<number, Role>> =
  together(async (db, userIds: readonly number[]) => {
    const rolesOf = new Map(userIds.map((id) => [id, new Map<number, Role>()]))
    for (const { user_id, organization_id, role } of await memberships(db, [...rolesOf.keys()])) {
      rolesOf.get(user_id)?.set(organization_id, role)
    }
    return userIds.map((id) => rolesOf.get(id) ?? new Map<number, Role>())
  })
