import type { Organization, OwnerRef, OwnerType, User } from '../domain/owner.ts'
import { organizationsByIds } from './organizations.ts'
import type { Database } from './tables.ts'
import { usersByIds } from './users.ts'

/** An organization with the viewer's role in it. */
type OrganizationWithMembership = Organization & { membership: 'admin' | 'member' | null }

export type Owner =
  { type: 'user'; model: User } | { type: 'organization'; model: OrganizationWithMembership }

export function ownerKey({ owner_id, owner_type }: OwnerRef): string {
  return `${owner_type}:${owner_id}`
}

/** The owner of each of these records, in their order; null where it no longer exists. */
export async function ownersOf(
  db: Database,
  owned: readonly OwnerRef[],
  viewerId: number | undefined,
): Promise<(Owner | null)[]> {
  const ids = (type: OwnerType) => [
    ...new Set(owned.filter((each) => each.owner_type === type).map((each) => each.owner_id)),
  ]
  const [users, organizations, memberships] = await Promise.all([
    usersByIds(db, ids('User')),
    organizationsByIds(db, ids('Organization')),
    membershipsOf(db, viewerId),
  ])
  const owners = new Map<string, Owner>([
    ...users.map((model) => [`User:${model.id}`, { type: 'user', model }] as const),
    ...organizations.map((organization) => {
      const model = { ...organization, membership: memberships.get(organization.id) ?? null }
      return [`Organization:${organization.id}`, { type: 'organization', model }] as const
    }),
  ])
  return owned.map((each) => owners.get(ownerKey(each)) ?? null)
}

/** The user and the organizations that the user is a member of, as keys of owners. */
export async function ownerKeysOfUser(
  db: Database,
  userId: number | undefined,
): Promise<Set<string>> {
  if (userId === undefined) return new Set()
  const memberships = await membershipsOf(db, userId)
  return new Set([`User:${userId}`, ...[...memberships.keys()].map((id) => `Organization:${id}`)])
}

/** The organizations that the user is a member of, by id, with the role. */
export async function membershipsOf(
  db: Database,
  userId: number | undefined,
): Promise<Map<number, 'admin' | 'member'>> {
  if (userId === undefined) return new Map()
  const rows = await db
    .selectFrom('memberships')
    .select(['organization_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  return new Map(rows.map(({ organization_id, role }) => [organization_id, role]))
}
