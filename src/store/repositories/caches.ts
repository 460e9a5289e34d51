import { type Expression, type SqlBool, sql } from 'kysely'
import type { Cache } from '../../domain/cache.ts'
import type { Database } from '../tables.ts'

/** Selects caches of a repository; without any member, all of them. */
export interface CacheFilter {
  branch?: string | undefined
  /** Text that the slug contains, compared with case. */
  match?: string | undefined
  /** Text that the archive's file name contains, compared with case. */
  nameMatch?: string | undefined
}

/** The caches of a repository, by branch and slug. */
export function cachesOf(
  db: Database,
  repositoryId: number,
  filter: CacheFilter,
): Promise<Cache[]> {
  return db
    .selectFrom('caches')
    .selectAll()
    .where(matches(repositoryId, filter))
    .orderBy('branch')
    .orderBy('slug')
    .execute()
}

/** Deletes the caches that match and returns them, in the order of `cachesOf`. */
export function deleteCachesOf(
  db: Database,
  repositoryId: number,
  filter: CacheFilter,
): Promise<Cache[]> {
  return db
    .with('deleted', (query) =>
      query.deleteFrom('caches').where(matches(repositoryId, filter)).returningAll(),
    )
    .selectFrom('deleted')
    .selectAll()
    .orderBy('branch')
    .orderBy('slug')
    .execute()
}

function matches(
  repositoryId: number,
  { branch, match, nameMatch }: CacheFilter,
): Expression<SqlBool> {
  // PostgreSQL rejects U+0000 in text, so no stored name contains it.
  if (`${branch}${match}${nameMatch}`.includes('\0')) return sql`false`
  const ofBranch = branch === undefined ? sql`true` : sql`branch = ${branch}`
  const ofSlug = match === undefined ? sql`true` : sql`position(${match} in slug) > 0`
  const ofName =
    nameMatch === undefined
      ? sql`true`
      : sql`position(${nameMatch} in regexp_replace(object_key, '^.*/', '')) > 0`
  return sql`repository_id = ${repositoryId} and ${ofBranch} and ${ofSlug} and ${ofName}`
}
