import { sql } from 'kysely'
import type { Database } from '../tables.ts'
import { isLogRestricted, visibleTo } from './visibility.ts'

interface Looking {
  userId: number | undefined
  closed?: boolean | undefined
}

/** The ids of the repositories that the viewer can see. */
export async function visibleRepositoryIds(
  db: Database,
  ids: readonly number[],
  { userId, closed }: Looking,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('repositories')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('deleted_at', 'is', null)
    .where('invalidated_at', 'is', null)
    .where(visibleTo(userId, 'repositories', { closed }))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The ids of the jobs that the viewer can see, and whose logs the viewer can read. */
export async function readableJobIds(
  db: Database,
  ids: readonly number[],
  { userId, closed }: Looking,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .select('jobs.id')
    .where(sql<boolean>`jobs.id = any(${ids}::bigint[])`)
    .where('repositories.deleted_at', 'is', null)
    .where('repositories.invalidated_at', 'is', null)
    .where(visibleTo(userId, 'jobs', { closed }))
    .where(
      sql<boolean>`(not ${sql.raw(isLogRestricted)} or exists (
        select from permissions
        where permissions.repository_id = jobs.repository_id
          and permissions.user_id = ${userId ?? null} and permissions.push))`,
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
