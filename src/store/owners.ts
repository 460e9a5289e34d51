import type { Database } from './tables.ts'

/** The organizations that the user is a member of, by id, with the role. */
export async function membershipsOf(
  db: Database,
  userId: number,
): Promise<Map<number, 'admin' | 'member'>> {
  const rows = await db
    .selectFrom('memberships')
    .select(['organization_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  return new Map(rows.map(({ organization_id, role }) => [organization_id, role]))
}
