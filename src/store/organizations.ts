import { sql } from 'kysely'
import type { SeenOrganization } from '../access/owner-rights.ts'
import type { Organization } from '../domain/owner.ts'
import { anyOf } from './any-of.ts'
import { type Page, type Paged, readPage } from './page.ts'
import { type Database, omit } from './tables.ts'

/** Creates the organization, or updates the existing one. */
export function putOrganization(
  db: Database,
  organization: Pick<Organization, 'provider' | 'codehost_id' | 'login'> &
    Partial<Pick<Organization, 'name' | 'avatar_url'>>,
): Promise<Organization> {
  return db
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'codehost_id'])
        .doUpdateSet(omit(organization, 'provider', 'codehost_id')),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

const orders = {
  id: sql.ref('organizations.id'),
  login: sql`lower(organizations.login)`,
  name: sql`lower(organizations.name)`,
  codehost_id: sql.ref('organizations.codehost_id'),
  vcs_id: sql`organizations.codehost_id::text`,
}

export const organizationSortKeys = Object.keys(orders)

/** The organizations that a user is a member of, in one of these roles if there are any. */
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
  return readPage(query, page, orders, sql.ref('organizations.id'))
}
