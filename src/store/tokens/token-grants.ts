import { sql } from 'kysely'
import { loginOfToken } from '../../domain/owner.ts'
import type { Database } from '../tables.ts'

/** The rule of `isOfToken` (domain/owner.ts) as SQL for rows of `users`; such users are not shown. */
export const tokenUser = `(users.codehost_id is null and users.login like 'token-%[bot]')`

/** Creates the user that a token acts as, or whose permissions it has. */
export async function insertTokenUser(
  db: Database,
  tokenId: number,
  provider: 'codehost' | 'local',
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({ provider, codehost_id: null, login: loginOfToken(tokenId) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Limits a token to these repositories. */
export async function insertTokenRepositories(
  db: Database,
  tokenId: number,
  repositoryIds: readonly number[],
): Promise<void> {
  await db
    .insertInto('token_repositories')
    .values(repositoryIds.map((repository_id) => ({ token_id: tokenId, repository_id })))
    .execute()
}

/**
 * Gives a token limited to some repositories the current permissions of its user on them. Changes
 * nothing while the permissions are the same.
 */
export async function refreshGrants(
  db: Database,
  { id, user_id, grantee_id }: { id: number; user_id: number; grantee_id: number },
): Promise<void> {
  await sql`
    with own as (
      select permissions.repository_id, pull, push, admin
      from token_repositories join permissions using (repository_id)
      where token_id = ${id} and user_id = ${user_id}
    ), gone as (
      delete from permissions
      where user_id = ${grantee_id} and repository_id not in (select repository_id from own)
    )
    insert into permissions (user_id, repository_id, pull, push, admin)
    select ${grantee_id}::bigint, own.* from own
    where not exists (
      select from permissions as known
      where known.user_id = ${grantee_id} and known.repository_id = own.repository_id
        and (known.pull, known.push, known.admin) = (own.pull, own.push, own.admin))
    on conflict (user_id, repository_id) do update
      set pull = excluded.pull, push = excluded.push, admin = excluded.admin
  `.execute(db)
}
