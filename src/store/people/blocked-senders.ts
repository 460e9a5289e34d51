import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/**
 * For a row of requests, its repository and a user: whether the user caused the request. A sender
 * unknown at the time, as many authors of pull requests are, is found by the login of then.
 */
const causedBy = sql<boolean>`(users.id = requests.sender_id or (requests.sender_id is null
  and users.provider = repositories.provider
  and lower(users.login) = lower(requests.sender_login)))`

/** For a row of requests: whether a user who is now blocked caused it. */
export const senderIsBlocked = sql<boolean>`exists (
  select from repositories join users on ${causedBy}
  where repositories.id = requests.repository_id and users.blocked_at is not null)`

/** The login of the user who caused a request, if that user is now blocked. */
export async function blockedSenderOf(
  db: Database,
  requestId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('requests')
    .innerJoin('repositories', 'repositories.id', 'requests.repository_id')
    .innerJoin('users', (join) => join.on(causedBy))
    .select('users.login')
    .where('requests.id', '=', requestId)
    .where('users.blocked_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.login
}
