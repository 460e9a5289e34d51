import { sql } from 'kysely'
import { type CodehostToken, type Database, omit } from './tables.ts'

/** Stores the token of a user, in the place of an earlier one. */
export async function putCodehostToken(db: Database, token: CodehostToken): Promise<void> {
  await db
    .insertInto('codehost_tokens')
    .values(token)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...omit(token, 'user_id'), updated_at: sql<Date>`now()` }),
    )
    .execute()
}

export function findCodehostToken(
  db: Database,
  userId: number,
): Promise<CodehostToken | undefined> {
  return db
    .selectFrom('codehost_tokens')
    .select(['user_id', 'sealed_token', 'sealed_refresh_token', 'expires_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Drops a token, unless another one has taken its place meanwhile. */
export async function dropCodehostToken(
  db: Database,
  { user_id, sealed_token }: Pick<CodehostToken, 'user_id' | 'sealed_token'>,
): Promise<void> {
  await db
    .deleteFrom('codehost_tokens')
    .where('user_id', '=', user_id)
    .where('sealed_token', '=', sealed_token)
    .execute()
}
