import { sql } from 'kysely'
import type { SeenOrganization } from '../../access/owner-rights.ts'
import type { Organization, Provider } from '../../domain/owner.ts'
import { anyOf } from '../sql/literals.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { type Database, type Membership, omit } from '../tables.ts'

export function findOrganizationByCodehostId(
  db: Database,
  provider: Provider,
  codehost_id: number,
): Promise<Organization | undefined> {
  return db
    .selectFrom('organizations')
    .selectAll()
    .where('provider', '=', provider)
    .where('codehost_id', '=', codehost_id)
    .executeTakeFirst()
}

/** Creates, updates or restores the organization; a former holder of its login is renamed as by `putUser`. */
export function putOrganization(
  db: Database,
  organization: Pick<Organization, 'provider' | 'codehost_id' | 'login'> &
    Partial<Pick<Organization, 'name' | 'avatar_url'>>,
): Promise<Organization> {
  return db
    .with('renamed', (query) =>
      query
        .updateTable('organizations')
        .set({ login: sql<string>`'~' || id` })
        .where('provider', '=', organization.provider)
        .where(sql<string>`lower(login)`, '=', organization.login.toLowerCase())
        .where('codehost_id', 'is distinct from', organization.codehost_id),
    )
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'codehost_id'])
        .doUpdateSet({ ...omit(organization, 'provider', 'codehost_id'), deleted_at: null }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function putMembership(db: Database, membership: Membership): Promise<void> {
  await db
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'organization_id']).doUpdateSet({ role: membership.role }),
    )
    .execute()
}

export async function dropMembership(
  db: Database,
  { user_id, organization_id }: Pick<Membership, 'user_id' | 'organization_id'>,
): Promise<void> {
  await db
    .deleteFrom('memberships')
    .where('user_id', '=', user_id)
    .where('organization_id', '=', organization_id)
    .execute()
}

/** Ends the memberships of a user in all organizations of the code host except these. */
export async function keepMemberships(
  db: Database,
  userId: number,
  organizationIds: readonly number[],
): Promise<void> {
  await sql`
    delete from memberships using organizations
    where organizations.id = organization_id and provider = 'codehost'
      and user_id = ${userId} and organization_id <> all(${organizationIds}::bigint[])
  `.execute(db)
}

/** The members of the organization with this id at the code host. */
export async function membersOf(
  db: Database,
  provider: Provider,
  codehost_id: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select('user_id')
    .where('organizations.provider', '=', provider)
    .where('organizations.codehost_id', '=', codehost_id)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Marks an organization as deleted at the code host; undefined for an unknown one. */
export async function markOrganizationGone(
  db: Database,
  provider: Provider,
  codehost_id: number,
): Promise<number | undefined> {
  const row = await db
    .updateTable('organizations')
    .set({ deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('provider', '=', provider)
    .where('codehost_id', '=', codehost_id)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

const orders = {
  id: sql.ref('organizations.id'),
  login: sql`lower(organizations.login)`,
  name: sql`lower(organizations.name)`,
  codehost_id: sql.ref('organizations.codehost_id'),
  vcs_id: sql`organizations.codehost_id::text`,
}

export const organizationSortKeys = Object.keys(orders) as (keyof typeof orders)[]

/** The organizations that a user is a member of; if `roles` is not empty, only in one of these roles. */
export function organizationsOf(
  db: Database,
  userId: number | undefined,
  roles: readonly string[],
  page: Page,
): Promise<Paged<SeenOrganization>> {
  const query = db
    .selectFrom('organizations')
    .innerJoin('memberships', 'memberships.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select('memberships.role as membership')
    .where('memberships.user_id', '=', sql<number>`${userId ?? null}::bigint`)
    .where('organizations.deleted_at', 'is', null)
    .$if(roles.length > 0, (query) => query.where(sql<boolean>`memberships.role = ${anyOf(roles)}`))
  return readPage(db, query, page, orders, sql.ref('organizations.id'))
}
