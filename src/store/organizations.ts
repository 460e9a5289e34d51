import type { Organization } from '../domain/owner.ts'
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
