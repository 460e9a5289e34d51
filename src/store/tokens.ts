import { sql } from 'kysely'
import type { User } from '../domain/owner.ts'
import { type Database, json, type Token } from './tables.ts'

export async function insertToken(
  db: Database,
  token: Pick<Token, 'user_id' | 'hash' | 'name' | 'scopes' | 'expires_at'>,
): Promise<void> {
  await db
    .insertInto('tokens')
    .values({ ...token, scopes: json(token.scopes) })
    .execute()
}

export interface TokenUse {
  user: User
  scopes: string[]
}

/**
 * The user of a valid token, by the token's hash. Records the use, at most once a minute, which
 * restarts the token's lifetime.
 */
export async function useToken(
  db: Database,
  hash: string,
  now: Date,
): Promise<TokenUse | undefined> {
  const token = await db
    .selectFrom('tokens')
    .select(['id', 'user_id', 'scopes', 'last_used_at'])
    .where('hash', '=', hash)
    .where('purpose', '=', 'api')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!token || token.user_id === null) return

  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', token.user_id)
    .executeTakeFirst()
  if (!user) return
  if (now.getTime() - (token.last_used_at?.getTime() ?? 0) > 60_000) {
    await recordUse(db, token.id, now)
    await recordActivity(db, user.id, now)
  }
  return { user, scopes: token.scopes }
}

async function recordUse(db: Database, id: number, now: Date): Promise<void> {
  const before = sql`coalesce(last_used_at, created_at)`
  const unused = sql`greatest(${now}::timestamptz - ${before}, interval '0')`
  await db
    .updateTable('tokens')
    .set({ last_used_at: now, expires_at: sql<Date | null>`expires_at + ${unused}` })
    .where('id', '=', id)
    .execute()
}

/** At most every five minutes. */
async function recordActivity(db: Database, userId: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 300_000)
  await db
    .updateTable('users')
    .set({ last_activity_at: now })
    .where('id', '=', userId)
    .where((eb) =>
      eb.or([eb('last_activity_at', 'is', null), eb('last_activity_at', '<=', before)]),
    )
    .execute()
}
