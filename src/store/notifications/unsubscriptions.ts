import { sql } from 'kysely'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/**
 * The source of build mails: a repository, or the repositories of an organization, as seen by the user
 * of these permissions; no repositories if no permissions apply.
 */
export type MailSource =
  | { type: 'repository'; id: number }
  | { type: 'organization'; id: number; permitted_id: number | undefined }

const unsubscribedOf = prepared<{ repository_id: number }>(`
  select repository_id from unsubscriptions
  where user_id = $1 and repository_id = any(${listed('$2', 'bigint[]')})
`)

/** The ids of the repositories whose build mails the user has unsubscribed from. */
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
 * Unsubscribes a user; for an organization, from the repositories on which the user has a role. Returns
 * whether anything changed.
 */
export async function insertUnsubscriptions(
  db: Database,
  userId: number,
  source: MailSource,
): Promise<boolean> {
  const { numAffectedRows = 0 } = await sql`
    insert into unsubscriptions (user_id, repository_id)
    select ${userId}::bigint, id from repositories where ${isOf(source)} and ${hasRole(source)}
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows) > 0
}

/** Subscribes a user again. Returns whether anything changed. */
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

function isOf(source: MailSource) {
  if (source.type === 'repository') return sql`repositories.id = ${source.id}`
  if (source.permitted_id === undefined) return sql`false`
  return sql`repositories.owner_type = 'Organization' and repositories.owner_id = ${source.id}`
}

/** Anyone can unsubscribe from a repository's mails: its file can name people without a role on it. */
function hasRole(source: MailSource) {
  if (source.type === 'repository') return sql`true`
  return sql`exists (select from permissions
    where repository_id = repositories.id and user_id = ${source.permitted_id ?? null})`
}
