import { sql } from 'kysely'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'

/** Whose build mails: those of a repository, or of all that belong to an organization. */
export interface MailSource {
  type: 'repository' | 'organization'
  id: number
}

const unsubscribedOf = prepared<{ repository_id: number }>(`
  select repository_id from unsubscriptions
  where user_id = $1 and repository_id = any(${listed('$2', 'bigint[]')})
`)

/** The ids of those repositories whose build mails the user has unsubscribed from. */
export async function unsubscribedAmong(
  db: Database,
  userId: number,
  repositories: readonly { id: number }[],
): Promise<Set<number>> {
  const ids = repositories.map(({ id }) => id)
  const rows = await unsubscribedOf(db, userId, ids)
  return new Set(rows.map(({ repository_id }) => repository_id))
}

/**
 * Unsubscribes a user; of an organization, from those repositories on which the user has a role. Returns
 * whether that changed anything.
 */
export async function insertUnsubscriptions(
  db: Database,
  userId: number,
  source: MailSource,
): Promise<boolean> {
  const { numAffectedRows = 0 } = await sql`
    insert into unsubscriptions (user_id, repository_id)
    select ${userId}::bigint, id from repositories
    where ${isOf(source)} and (${source.type} = 'repository' or exists (
      select from permissions where repository_id = repositories.id and user_id = ${userId}))
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows) > 0
}

/** Subscribes a user again. Returns whether that changed anything. */
export async function deleteUnsubscriptions(
  db: Database,
  userId: number,
  source: MailSource,
): Promise<boolean> {
  const { numAffectedRows = 0 } = await sql`
    delete from unsubscriptions using repositories
    where unsubscriptions.user_id = ${userId} and repositories.id = unsubscriptions.repository_id
      and ${isOf(source)}
  `.execute(db)
  return Number(numAffectedRows) > 0
}

function isOf({ type, id }: MailSource) {
  return type === 'repository'
    ? sql`repositories.id = ${id}`
    : sql`repositories.owner_type = 'Organization' and repositories.owner_id = ${id}`
}
