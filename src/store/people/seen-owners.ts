import type { SeenOrganization } from '../../access/owner-rights.ts'
import type { Organization, OwnerRef, Provider, User } from '../../domain/owner.ts'
import { organizationIn, userIn, type Written } from '../sql/json-rows.ts'
import { prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'
import { tokenUser } from '../tokens/token-grants.ts'

/** An account that has repositories, as one user sees it. */
export type SeenOwner =
  | { type: 'user'; model: User }
  | { type: 'organization'; model: SeenOrganization }

export const ownerRefOf = ({ type, model: { id } }: SeenOwner): OwnerRef => ({
  owner_type: type === 'user' ? 'User' : 'Organization',
  owner_id: id,
})

export interface OwnerRow {
  user: Written<User> | null
  organization: Written<Organization> | null
  membership: SeenOrganization['membership']
}

/** The owner in a row that a statement has read; undefined if the owner no longer exists. */
export function ownerIn({ user, organization, membership }: OwnerRow): SeenOwner | undefined {
  if (organization) {
    return { type: 'organization', model: { ...organizationIn(organization), membership } }
  }
  return user ? { type: 'user', model: userIn(user) } : undefined
}

const organizationOf = (condition: string) => `
  select 1 as place, organizations.id, provider = 'local' as is_local, null::json as user, row_to_json(organizations) as organization,
    (select role from memberships where organization_id = organizations.id and user_id = $1)
      as membership
  from organizations where deleted_at is null and ${condition}`

const userOf = (condition: string) => `
  select 2 as place, users.id, provider = 'local' as is_local, row_to_json(users) as user, null::json as organization,
    null as membership
  from users where ${condition}
    and not ${tokenUser}`

/** The owner that was created last; organizations come before users. */
const ownerBy = (condition: string, order = 'place') =>
  prepared<OwnerRow>(`
    select "user", organization, membership
    from (${organizationOf(condition)} union all ${userOf(condition)}) as owners
    order by ${order}, id desc limit 1
  `)

const byLogin = ownerBy('lower(login) = $2 and provider = coalesce($3::text, provider)')
// Local accounts have such ids as well, which can equal ids at the code host.
const byCodehostId = ownerBy('codehost_id = $2::bigint', 'is_local, place')
const organizationById = prepared<OwnerRow>(organizationOf('organizations.id = $2::bigint'))

const userById = prepared<OwnerRow>(
  `select $1::bigint as viewer, owners.* from (${userOf('users.id = $2::bigint')}) as owners`,
)

/** How callers name an owner; logins are compared without case. */
export type OwnerName = { login: string; provider?: Provider } | { codehost_id: number }

/** The user or organization of that name, for the user with this id. */
export async function findOwner(
  db: Database,
  name: OwnerName,
  userId: number | undefined,
): Promise<SeenOwner | undefined> {
  const [row] = await rowsOf(db, name, userId ?? null)
  return row && ownerIn(row)
}

async function rowsOf(db: Database, name: OwnerName, userId: number | null) {
  if ('codehost_id' in name) return byCodehostId(db, userId, name.codehost_id)
  // No stored name contains U+0000, and PostgreSQL rejects it.
  if (name.login.includes('\0')) return []
  return byLogin(db, userId, name.login.toLowerCase(), name.provider ?? null)
}

export async function findOrganization(
  db: Database,
  id: number,
  userId: number | undefined,
): Promise<SeenOrganization | undefined> {
  const [row] = await organizationById(db, userId ?? null, id)
  const owner = row && ownerIn(row)
  return owner?.type === 'organization' ? owner.model : undefined
}

/** The user or organization that something belongs to, for the user with this id. */
export async function findOwnerById(
  db: Database,
  { owner_type, owner_id }: OwnerRef,
  userId: number | undefined,
): Promise<SeenOwner | undefined> {
  const byId = owner_type === 'User' ? userById : organizationById
  const [row] = await byId(db, userId ?? null, owner_id)
  return row && ownerIn(row)
}
