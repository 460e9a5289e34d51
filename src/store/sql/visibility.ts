import { type Expression, type SqlBool, sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import { hasRole, isVisible } from '../../access/visibility.ts'
import type { Repository, Seen } from '../../domain/repository.ts'

/** Tables whose rows are hidden from some viewers. */
type GuardedTable = 'repositories' | 'builds' | 'jobs' | 'requests'

/**
 * The rule of `isVisible` (access/visibility.ts) as a condition on rows of a table: the rows that this
 * user, or an anonymous viewer, can see; `closed` hides public rows as well, and is needed for lists of
 * rows of several repositories. The query must not alias the table.
 */
export function visibleTo(
  userId: number | undefined,
  table: GuardedTable,
  { closed = false }: { closed?: boolean | undefined } = {},
): Expression<SqlBool> {
  const row = sql.table(table)
  const repositoryId = sql.ref(
    table === 'repositories' ? 'repositories.id' : `${table}.repository_id`,
  )
  const isPublic = closed
    ? sql<SqlBool>`false`
    : table === 'repositories'
      ? sql<SqlBool>`not ${row}.private`
      : sql<SqlBool>`not ${row}.private and exists (
          select from repositories as own where own.id = ${repositoryId} and not own.private)`
  if (userId === undefined) return isPublic
  return sql`(${isPublic} or exists (
    select from permissions
    where permissions.repository_id = ${repositoryId} and permissions.user_id = ${userId}))`
}

/**
 * Whether a user who sees a build can see a row of its `jobs`; `user` is the SQL of the user's id, which
 * is null for an anonymous viewer.
 */
export const jobVisibleBesideBuild = (user: string) => `(not jobs.private or exists (
  select from permissions
  where permissions.repository_id = jobs.repository_id and permissions.user_id = ${user}))`

/** Privacy of a changed row from now on: private as before, or if its repository is now private. */
export function privateByNow(table: 'jobs' | 'requests'): Expression<boolean> {
  return sql`(${sql.table(table)}.private or exists (
    select from repositories as own where own.id = ${sql.ref(`${table}.repository_id`)} and own.private))`
}

/** Whether a repository is private now, as a condition on rows created while it was private. */
export function stillPrivate(repositoryId: number): Expression<SqlBool> {
  return sql`exists (select from repositories where id = ${repositoryId} and private)`
}

/** Whether viewers of a row of `builds` see a row of `jobs`, which can be from a time when the repository was private. */
export const isShownWithBuild = '(builds.private or not jobs.private)'

/** Whether viewers of the job with this id see a row of `jobs` of the same repository. */
export const isShownWithJob = (id: number) =>
  sql<boolean>`(not jobs.private or exists (
    select from jobs as own where own.id = ${id} and own.private))`

/** Whether only users with push access can read the log of a row of `jobs`, by its repository's settings. */
export const isLogRestricted = `exists (
  select from repository_settings
  where repository_settings.repository_id = jobs.repository_id
    and (values ->> 'job_log_access_based_limit')::boolean)`

/** Whether anyone can see a row of `jobs`, whose repository the query has joined. */
export const isPublicJob = '(not jobs.private and not repositories.private)'

/** The order of repositories by the rule of visibility, with the viewer's row of `permissions` joined. */
export const visibleFirst = '(permissions.user_id is not null or not repositories.private) desc'

/** Repositories neither deleted nor replaced by another one. */
export const liveRepository =
  'repositories.deleted_at is null and repositories.invalidated_at is null'

/** The offsets enforce a look-up for each row; otherwise PostgreSQL reads all owners for a page of rows. */
export const ownerExists = `(
    repositories.owner_type = 'User'
      and exists (select from users where users.id = repositories.owner_id offset 0)
    or repositories.owner_type = 'Organization'
      and exists (select from organizations where organizations.id = repositories.owner_id offset 0))`

/** A repository whose owner is gone is shown to no one. */
export const existingRepository = `${liveRepository} and ${ownerExists}`

/**
 * Whether a row is in a list over all repositories, by the rule of visibility: it is visible, and its
 * repository, which the query has joined, exists.
 */
export function listedFor(viewer: ListViewer, table: GuardedTable): Expression<SqlBool> {
  return sql`${sql.raw(existingRepository)} and ${seenInList(viewer, table)}`
}

/** Whether a row is visible, even if its repository no longer exists. */
export function seenInList(
  { userId, closed }: ListViewer,
  table: GuardedTable,
): Expression<SqlBool> {
  const isPublic = closed
    ? sql<SqlBool>`false`
    : sql<SqlBool>`not repositories.private and not ${sql.table(table)}.private`
  if (userId === undefined) return isPublic
  return sql`(${isPublic} or repositories.id in (
    select repository_id from permissions where permissions.user_id = ${userId}))`
}

/**
 * Which branches of a repository its viewer can see. Branches that exist at the code host are as public
 * there as the repository; the name of a branch that is gone is visible only to users with a role,
 * unless a build of the branch is public. The query must not alias the table.
 */
export function branchVisibleIn(repository: Seen<Repository>): Expression<SqlBool> {
  if (hasRole(repository)) return sql`true`
  return sql`(branches.exists_on_codehost or exists (
    select from builds where builds.branch_id = branches.id and ${visibleIn(repository, 'builds')}))`
}

/** The rule of visibility for rows of one repository, as its viewer sees it. */
export function visibleIn(
  repository: Seen<Repository>,
  table: Exclude<GuardedTable, 'repositories'>,
): Expression<SqlBool> {
  if (hasRole(repository)) return sql`true`
  return isVisible(repository) ? sql`not ${sql.table(table)}.private` : sql`false`
}

/** Whether the viewer of a request sees its build: with a role, by the given SQL, or if it is public. */
export const buildVisibleBesideRequest = (hasRole: string): string =>
  `(${hasRole} or not builds.private)`
