import { sql } from 'kysely'
import { storableText } from '../../domain/text/storable-text.ts'
import type { Database } from '../tables.ts'

/** A user with an e-mail address. */
export interface AddressOwner {
  /** In lower case. */
  email: string
  user_id: number
  /** Whether the user has a role on the repository. */
  has_role: boolean
  /** Whether the user wants no mail about the repository's builds, or is blocked. */
  declines: boolean
}

/** The users with these addresses; only addresses that they have confirmed count. */
export async function ownersOfAddresses(
  db: Database,
  repositoryId: number,
  emails: readonly string[],
): Promise<AddressOwner[]> {
  const asked = emails.map((email) => storableText(email).toLowerCase())
  const { rows } = await sql<AddressOwner>`
    with owners as (
      select lower(email) as email, id as user_id from users where lower(email) = any(${asked}::text[])
      union
      select lower(email), user_id from user_emails
      where verified and lower(email) = any(${asked}::text[])
    )
    select owners.email, owners.user_id,
      exists (
        select from permissions
        where permissions.user_id = users.id and permissions.repository_id = ${repositoryId}
      ) as has_role,
      (not users.build_emails or users.blocked_at is not null or exists (
        select from unsubscriptions
        where unsubscriptions.user_id = users.id and unsubscriptions.repository_id = ${repositoryId}
      )) as declines
    from owners join users on users.id = owners.user_id
    order by owners.email, owners.user_id
  `.execute(db)
  return rows
}
