import type { Database, LoginState } from '../tables.ts'

export async function insertLoginState(db: Database, state: LoginState): Promise<void> {
  await db.insertInto('login_states').values(state).execute()
}

/** Removes a login that has begun, and returns it if it is valid: each can be completed once. */
export async function takeLoginState(
  db: Database,
  hash: string,
  now: Date,
): Promise<LoginState | undefined> {
  const taken = await db
    .deleteFrom('login_states')
    .where('hash', '=', hash)
    .returning(['hash', 'way', 'target', 'key_id', 'expires_at'])
    .executeTakeFirst()
  return taken && taken.expires_at > now ? taken : undefined
}

/** Deletes the logins that were not completed in time. */
export async function dropLoginStates(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('login_states').where('expires_at', '<=', now).execute()
}
