import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** Of a row of requests, whether someone who is blocked by now caused it, as `blockedSenderOf` finds them. */
export const senderIsBlocked = sql<boolean>`(
  exists (select from users where users.id = requests.sender_id and blocked_at is not null)
  or requests.sender_id is null and exists (
    select from users join repositories on repositories.provider = users.provider
    where repositories.id = requests.repository_id
      and lower(users.login) = lower(requests.sender_login) and users.blocked_at is not null
  )
)`

/**
 * The login of the one who caused a request, if they are blocked by now. Who was unknown here when it
 * came, as many who open pull requests are, is found by the login of then.
 */
export async function blockedSenderOf(
  db: Database,
  requestId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('requests')
    .innerJoin('repositories', 'repositories.id', 'requests.repository_id')
    .innerJoin('users', (join) =>
      join.on(
        sql<boolean>`users.id = requests.sender_id or (requests.sender_id is null
          and users.provider = repositories.provider
          and lower(users.login) = lower(requests.sender_login))`,
      ),
    )
    .select('users.login')
    .where('requests.id', '=', requestId)
    .where('users.blocked_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.login
}
