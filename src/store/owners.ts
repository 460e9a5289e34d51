import { prepared } from './prepared.ts'
import type { Database } from './tables.ts'

const memberships = prepared<{ organization_id: number; role: 'admin' | 'member' }>(`
  select organization_id, role from memberships where user_id = $1 order by organization_id
`)

/** The organizations that the user is a member of, by id, with the role. */
export async function membershipsOf(
  db: Database,
  userId: number,
): Promise<Map<number, 'admin' | 'member'>> {
  const rows = await memberships(db, userId)
  return new Map(rows.map(({ organization_id, role }) => [organization_id, role]))
}
