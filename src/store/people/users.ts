import { sql } from 'kysely'
import type { Provider, User } from '../../domain/owner.ts'
import { type Database, omit } from '../tables.ts'

export function findUserByCodehostId(
  db: Database,
  provider: Provider,
  codehost_id: number,
): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('provider', '=', provider)
    .where('codehost_id', '=', codehost_id)
    .executeTakeFirst()
}

export function findUser(db: Database, id: number): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The id of a user, as a value of a column; null for unknown users, and for bots (WH-06). */
export function idOfUser(provider: Provider, codehost_id: number | null) {
  return sql<number | null>`(
    select id from users where provider = ${provider} and codehost_id = ${codehost_id}::bigint
  )`
}

/** The users with that login, compared without case: at most one for each provider. */
export function usersOfLogin(db: Database, login: string): Promise<User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<string>`lower(login)`, '=', login.toLowerCase())
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Creates the user, or updates the existing one. Another user who had this login has given it up at the
 * code host, and is called `~ID` until the service sees that user again.
 */
export function putUser(
  db: Database,
  user: Pick<User, 'provider' | 'codehost_id' | 'login'> &
    Partial<Pick<User, 'name' | 'email' | 'avatar_url' | 'first_logged_in_at'>>,
): Promise<User> {
  return db
    .with('renamed', (query) =>
      query
        .updateTable('users')
        .set({ login: sql<string>`'~' || id` })
        .where('provider', '=', user.provider)
        .where(sql<string>`lower(login)`, '=', user.login.toLowerCase())
        .where('codehost_id', 'is distinct from', user.codehost_id),
    )
    .insertInto('users')
    .values(user)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'codehost_id'])
        .doUpdateSet(omit(user, 'provider', 'codehost_id')),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stores that a user was active, at most every five minutes. */
export async function noteActivity(db: Database, userId: number, now: Date): Promise<void> {
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

/** Returns whether anything changed. */
export async function setUserBlocked(
  db: Database,
  id: number,
  blocked_at: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ blocked_at, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('blocked_at', blocked_at === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The blocked users, the last blocked first. */
export function blockedUsers(db: Database): Promise<User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('blocked_at', 'is not', null)
    .orderBy('blocked_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** At most `most` blocked users of a code host. */
export async function blockedAt(
  db: Database,
  provider: Provider,
  most: number,
): Promise<{ codehost_id: number; login: string }[]> {
  const rows = await db
    .selectFrom('users')
    .select(['codehost_id', 'login'])
    .where('provider', '=', provider)
    .where('blocked_at', 'is not', null)
    .limit(most)
    .execute()
  return rows.flatMap(({ codehost_id, login }) =>
    codehost_id === null ? [] : { codehost_id, login },
  )
}

/** Locks the user for the rest of the transaction. */
export function lockUser(db: Database, id: number): Promise<User> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export function setLocale(db: Database, id: number, locale: string): Promise<User> {
  return db
    .updateTable('users')
    .set({ locale, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns whether the setting was different. */
export async function setBuildEmailsOf(
  db: Database,
  id: number,
  build_emails: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ build_emails, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('build_emails', '<>', build_emails)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/**
 * Replaces the addresses of a user. If no address is known to be public, the primary one becomes the
 * user's, if it is verified.
 */
export async function setEmails(
  db: Database,
  user_id: number,
  emails: readonly { email: string; verified: boolean; primary: boolean }[],
): Promise<void> {
  await db.deleteFrom('user_emails').where('user_id', '=', user_id).execute()
  if (emails.length === 0) return
  await db
    .insertInto('user_emails')
    .values(emails.map(({ email, verified }) => ({ user_id, email, verified })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const first = emails.find(({ primary, verified }) => primary && verified)
  if (!first) return
  await db
    .updateTable('users')
    .set({ email: first.email })
    .where('id', '=', user_id)
    .where('email', 'is', null)
    .execute()
}

/** The addresses of a user, the shown address first. */
export async function emailsOf(
  db: Database,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('user_emails')
    .select('email')
    .where('user_id', '=', id)
    .orderBy('email')
    .execute()
  return [...new Set([...(email === null ? [] : [email]), ...rows.map((row) => row.email)])]
}

/** The avatars of the users with these addresses, in their order; null for addresses without one. */
export async function avatarsOfEmails(
  db: Database,
  emails: readonly string[],
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('users')
    .select(['email', 'avatar_url'])
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .where('avatar_url', 'is not', null)
    .orderBy('id', 'desc')
    .execute()
  const avatars = new Map(rows.map(({ email, avatar_url }) => [email, avatar_url]))
  return emails.map((email) => avatars.get(email) ?? null)
}

/**
 * The code host's ids of the accounts known to have had this login: the user who has it now, and users
 * who had it when they changed something.
 */
export async function accountsThatWere(db: Database, login: string): Promise<number[]> {
  const { rows } = await sql<{ codehost_id: number }>`
    select distinct codehost_id from users
    where provider = 'codehost' and codehost_id is not null
      and (lower(login) = ${login.toLowerCase()}
        or id in (select actor_id from audit_records where lower(actor) = ${login.toLowerCase()}))
    order by codehost_id
  `.execute(db)
  return rows.map(({ codehost_id }) => codehost_id)
}
