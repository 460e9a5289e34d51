import { sql } from 'kysely'
import type { User } from '../../domain/owner.ts'
import { together } from '../sql/batched-query.ts'
import { userIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import { type Database, json, type Token } from '../tables.ts'

export type NewToken = Pick<Token, 'user_id' | 'hash' | 'name' | 'scopes' | 'expires_at'> &
  Partial<
    Pick<
      Token,
      'application' | 'purpose' | 'repository_id' | 'made_by_id' | 'parent_id' | 'ends_at'
    >
  >

/** Stores a token and returns its id. */
export async function insertToken(db: Database, token: NewToken): Promise<number> {
  const { id } = await db
    .insertInto('tokens')
    .values({ ...token, scopes: json(token.scopes) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The purpose of a token, and its fixed end if it has one. */
export function findTokenEnd(
  db: Database,
  id: number,
): Promise<Pick<Token, 'purpose' | 'ends_at'> | undefined> {
  return db
    .selectFrom('tokens')
    .select(['purpose', 'ends_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Sets the user that a token acts as, or the user whose permissions it has. */
export async function setTokenUser(
  db: Database,
  id: number,
  users: Partial<Pick<Token, 'user_id' | 'grantee_id'>>,
): Promise<void> {
  await db.updateTable('tokens').set(users).where('id', '=', id).execute()
}

/** Replaces a token by another one; from now on, neither the old token nor tokens made with it are valid. */
export async function replaceToken(
  db: Database,
  id: number,
  { hash, now }: { hash: string; now: Date },
): Promise<void> {
  await revokeFamily(db, id, { except: id, now })
  await db.updateTable('tokens').set({ hash }).where('id', '=', id).execute()
}

interface UsedToken {
  id: number
  scopes: string[]
  last_used_at: Date | null
  expires_at: Date | null
  /** When the token ends, regardless of its use. */
  ends_at: Date | null
  /** The user whose permissions the token has, if not its own user's. */
  grantee_id: number | null
  user: User
}

interface TokenOfHash extends Omit<UsedToken, 'user'>, Pick<Token, 'hash' | 'purpose'> {
  user: Written<User>
}

/** Tokens not revoked, neither directly, nor with their parent, nor by a block of their maker. */
const notEnded = `revoked_at is null
    and not exists (select from users as maker
      where maker.id = tokens.made_by_id and maker.blocked_at is not null)
    and not exists (select from tokens as parent
      where parent.id = tokens.parent_id and parent.revoked_at is not null)`

const tokensOfHashes = prepared<TokenOfHash>(`
  select hash, purpose, tokens.id, tokens.scopes, tokens.last_used_at, tokens.expires_at,
    tokens.ends_at, tokens.grantee_id, row_to_json(users) as user
  from tokens join users on users.id = tokens.user_id
  where hash = any(${listed('$1', 'text[]')}) and ${notEnded}
`)

const tokenOfHash = together(async (db, hashes: readonly string[]) => {
  const rows = await tokensOfHashes(db, hashes)
  const tokens = new Map(rows.map((row) => [row.hash, row]))
  return hashes.map((hash) => tokens.get(hash))
})

/** The token with that hash and purpose, while it is valid, and its user. */
export async function findToken(
  db: Database,
  { hash, purpose }: Pick<Token, 'hash' | 'purpose'>,
  now: Date,
): Promise<UsedToken | undefined> {
  const row = await tokenOfHash(db, hash)
  if (row?.purpose !== purpose || (row.expires_at !== null && row.expires_at <= now)) return
  return { ...row, user: userIn(row.user) }
}

/** Stores that a token was used, and extends its end by the time since its last use, unless it is fixed. */
export async function noteTokenUse(db: Database, id: number, now: Date): Promise<void> {
  const before = sql`coalesce(last_used_at, created_at)`
  const unused = sql`greatest(${now}::timestamptz - ${before}, interval '0')`
  await db
    .updateTable('tokens')
    .set({
      last_used_at: now,
      expires_at: sql<Date | null>`least(expires_at + ${unused}, ends_at)`,
    })
    .where('id', '=', id)
    .execute()
}

/** The user of a token or a session that has not ended. */
export function userOfToken(db: Database, id: number, now: Date): Promise<User | undefined> {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .where('tokens.id', '=', id)
    .where(sql<boolean>`${sql.raw(notEnded)}`)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
}

/**
 * Revokes a user's tokens of these purposes except one, and returns how many. The excepted token
 * outlives the token that it was made with.
 */
export async function revokeTokensOf(
  db: Database,
  userId: number,
  { purposes, except, now }: { purposes: readonly Token['purpose'][]; except: number; now: Date },
): Promise<number> {
  await db.updateTable('tokens').set({ parent_id: null }).where('id', '=', except).execute()
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('repository_id', 'is', null)
    .where('purpose', 'in', purposes)
    .where('id', '<>', except)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends a session by the hash of its token. */
export async function revokeSession(db: Database, hash: string, now: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('hash', '=', hash)
    .where('purpose', '=', 'session')
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Revokes this token, and all tokens that were made with it. Returns whether any of them was not revoked
 * before.
 */
export async function revokeToken(db: Database, id: number, now: Date): Promise<boolean> {
  return (await revokeFamily(db, id, { except: 0, now })) > 0
}

/** Revokes a token and all its descendants, except one. Returns how many were revoked. */
async function revokeFamily(
  db: Database,
  id: number,
  { except, now }: { except: number; now: Date },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with recursive family as (
      select ${id}::bigint as id
      union
      select tokens.id from tokens join family on tokens.parent_id = family.id
    )
    update tokens set revoked_at = ${now}
    where id in (select id from family) and id <> ${except} and revoked_at is null
  `.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes tokens and sessions that ended before that time, and the users whose permissions limited
 * tokens had. The token that another was made with stays as long as the other, because both are revoked
 * together.
 */
export async function deleteEndedTokens(db: Database, before: Date): Promise<void> {
  const ended = await db
    .deleteFrom('tokens')
    .where((eb) => eb.or([eb('revoked_at', '<', before), eb('expires_at', '<', before)]))
    .where(sql<boolean>`not exists (select from tokens as child where child.parent_id = tokens.id)`)
    .returning('grantee_id')
    .execute()
  const grantees = ended.flatMap(({ grantee_id }) => (grantee_id === null ? [] : [grantee_id]))
  if (grantees.length > 0) await db.deleteFrom('users').where('id', 'in', grantees).execute()
}
