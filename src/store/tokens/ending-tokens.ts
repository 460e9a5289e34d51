import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** A token whose maker is to be notified of its end. */
export interface EndingToken {
  id: number
  name: string | null
  created_at: Date
  expires_at: Date
  /** When the token ends, regardless of its use. */
  ends_at: Date | null
  /** Slug of the repository that the token belongs to, if it belongs to one. */
  slug: string | null
  /** The maker's address. */
  email: string
}

/**
 * The tokens that end within `days`, or within half their lifetime if that is less, whose makers have an
 * address and were not notified. No one is notified of tokens for a day or two, nor of a repository's
 * token whose maker is no longer an admin there.
 */
export async function endingTokens(
  db: Database,
  { now, days, limit }: { now: Date; days: number; limit: number },
): Promise<EndingToken[]> {
  const { rows } = await sql<EndingToken>`
    select tokens.id, tokens.name, tokens.created_at, expires_at, ends_at, users.email,
      repositories.owner_name || '/' || repositories.name as slug
    from tokens
      join users on users.id = tokens.made_by_id
      left join repositories on repositories.id = tokens.repository_id
    where expires_at > ${now} and expires_at - ${now}::timestamptz
        < least(make_interval(days => ${days}), (expires_at - tokens.created_at) / 2)
      and expires_at - tokens.created_at > interval '2 days'
      and noticed_end is distinct from expires_at and revoked_at is null
      and purpose in ('api', 'feed') and users.email is not null and users.blocked_at is null
      and (tokens.repository_id is null or exists (
        select from permissions
        where permissions.repository_id = tokens.repository_id and user_id = users.id and admin))
    order by expires_at, tokens.id limit ${limit}
  `.execute(db)
  return rows
}

/** Stores that the maker is notified of this end; false if already stored, or if the end has changed. */
export async function claimNotice(
  db: Database,
  { id, expires_at }: Pick<EndingToken, 'id' | 'expires_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ noticed_end: expires_at })
    .where('id', '=', id)
    .where('expires_at', '=', expires_at)
    .where(sql<boolean>`noticed_end is distinct from expires_at`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes the notice due again, because it could not be sent. */
export async function dropNotice(db: Database, id: number): Promise<void> {
  await db.updateTable('tokens').set({ noticed_end: null }).where('id', '=', id).execute()
}
