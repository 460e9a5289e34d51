import { keepMemberships } from '../../store/organizations.ts'
import { keepPermissions } from '../../store/permissions.ts'
import { entriesOf, keepLists } from '../../store/sync-pages.ts'
import type { Database } from '../../store/tables.ts'

interface Read {
  hasMemberships: boolean
  /** The numbers of the installations whose repositories could not be read. */
  unread: readonly number[]
}

/**
 * Forgets the memberships and rights of a user that the code host has not confirmed, once all of it was
 * read. What could not be read is left as it is. Repositories stay: others may see them.
 */
export async function forgetUnconfirmed(
  db: Database,
  userId: number,
  { hasMemberships, unread }: Read,
): Promise<void> {
  const installations = (await entriesOf(db, userId, 'installations')).map(({ id }) => id)
  const lists = installations.map((id) => `repositories:${id}`)
  await keepLists(db, userId, ['profile', 'emails', 'memberships', 'installations', ...lists])
  if (hasMemberships) {
    const memberships = await entriesOf(db, userId, 'memberships')
    await keepMemberships(
      db,
      userId,
      memberships.map(({ id }) => id),
    )
  }
  await keepPermissions(db, userId, unread)
}
