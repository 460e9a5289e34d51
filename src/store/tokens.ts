import { sql } from 'kysely'
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

/** The token of that hash which calls of the API can be made with, while it is valid. */
export function findToken(
  db: Database,
  hash: string,
  now: Date,
): Promise<Pick<Token, 'id' | 'user_id' | 'scopes' | 'last_used_at'> | undefined> {
  return db
    .selectFrom('tokens')
    .select(['id', 'user_id', 'scopes', 'last_used_at'])
    .where('hash', '=', hash)
    .where('purpose', '=', 'api')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
}

/** Notes that a token was used, and puts its end off by the time since it was used before. */
export async function noteTokenUse(db: Database, id: number, now: Date): Promise<void> {
  const before = sql`coalesce(last_used_at, created_at)`
  const unused = sql`greatest(${now}::timestamptz - ${before}, interval '0')`
  await db
    .updateTable('tokens')
    .set({ last_used_at: now, expires_at: sql<Date | null>`expires_at + ${unused}` })
    .where('id', '=', id)
    .execute()
}
