import { together } from '../sql/batched-query.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

type Role = 'admin' | 'member'

export type WrittenMemberships = Readonly<Record<string, Role>> | null

/** SQL for the viewer's memberships, for a row of a table with owners, if its owner is an organization. */
export const membershipsBeside = (table: string) => `case when ${table}.owner_type = 'Organization'
  then (select coalesce(json_object_agg(organization_id, role), '{}') from memberships
    where memberships.user_id = asked.viewer) end`

/** Undefined if the memberships were not read. */
export function membershipsIn(written: WrittenMemberships): ReadonlyMap<number, Role> | undefined {
  if (!written) return undefined
  return new Map(Object.entries(written).map(([id, role]) => [Number(id), role]))
}

const memberships = prepared<{ user_id: number; organization_id: number; role: Role }>(`
  select user_id, organization_id, role from memberships
  where user_id = any(${listed('$1', 'bigint[]')}) order by organization_id
`)

/** The ids of the organizations that the user is a member of, with the user's role. */
export const membershipsOf: (db: Database, userId: number) => Promise<ReadonlyMap<number, Role>> =
  together(async (db, userIds: readonly number[]) => {
    const rolesOf = new Map(userIds.map((id) => [id, new Map<number, Role>()]))
    for (const { user_id, organization_id, role } of await memberships(db, [...rolesOf.keys()])) {
      rolesOf.get(user_id)?.set(organization_id, role)
    }
    return userIds.map((id) => rolesOf.get(id) ?? new Map<number, Role>())
  })
