import { sql } from 'kysely'
import { databaseNow } from '../sql/age.ts'
import { type CodehostToken, type Database, omit } from '../tables.ts'

/** Stores the token of a user, replacing an earlier one. */
export async function putCodehostToken(db: Database, token: CodehostToken): Promise<void> {
  await db
    .with('accepted', (query) =>
      query
        .updateTable('users')
        .set({ codehost_refused_at: null })
        .where('id', '=', token.user_id)
        .where('codehost_refused_at', 'is not', null),
    )
    .insertInto('codehost_tokens')
    .values(token)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...omit(token, 'user_id'), updated_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Stores that a token of this user works, although the token is not kept. */
export async function noteAccepted(db: Database, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ codehost_refused_at: null })
    .where('id', '=', userId)
    .where('codehost_refused_at', 'is not', null)
    .execute()
}

export function findCodehostToken(
  db: Database,
  userId: number,
): Promise<CodehostToken | undefined> {
  return db
    .selectFrom('codehost_tokens')
    .select(['user_id', 'sealed_token', 'sealed_refresh_token', 'issued_at', 'expires_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Deletes a token that was refused, unless another token has replaced it meanwhile. */
export async function dropCodehostToken(
  db: Database,
  { user_id, sealed_token }: Pick<CodehostToken, 'user_id' | 'sealed_token'>,
): Promise<void> {
  await db
    .with('dropped', (query) =>
      query
        .deleteFrom('codehost_tokens')
        .where('user_id', '=', user_id)
        .where('sealed_token', '=', sealed_token)
        .returning('user_id'),
    )
    .updateTable('users')
    .set({ codehost_refused_at: databaseNow })
    .where('id', 'in', (eb) => eb.selectFrom('dropped').select('user_id'))
    .execute()
}
