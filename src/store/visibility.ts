import { type Expression, type SqlBool, sql } from 'kysely'

/** Tables whose rows are hidden from some viewers. */
type Guarded = 'repositories' | 'builds' | 'jobs' | 'requests'

/**
 * The rule of `isVisible` (access/visibility.ts) as a condition on rows of a table: what this user
 * can see, or an anonymous viewer. The table must go by its own name in the query.
 */
export function visibleTo(userId: number | undefined, table: Guarded): Expression<SqlBool> {
  const row = sql.table(table)
  const repositoryId = sql.ref(
    table === 'repositories' ? 'repositories.id' : `${table}.repository_id`,
  )
  const isPublic =
    table === 'repositories'
      ? sql<SqlBool>`not ${row}.private`
      : sql<SqlBool>`not ${row}.private and exists (
          select from repositories as own where own.id = ${repositoryId} and not own.private)`
  if (userId === undefined) return isPublic
  return sql`(${isPublic} or exists (
    select from permissions
    where permissions.repository_id = ${repositoryId} and permissions.user_id = ${userId}))`
}
