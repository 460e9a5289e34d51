import { sql } from 'kysely'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Permission, Role } from '../../domain/repository.ts'
import type { Database } from '../tables.ts'

export async function putPermission(db: Database, permission: Permission): Promise<void> {
  await db
    .insertInto('permissions')
    .values(permission)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'repository_id']).doUpdateSet(permission),
    )
    .execute()
}

/** A role on a repository, in a short form of which many can be kept. */
export type RoleOn = Pick<Permission, 'repository_id' | 'push' | 'admin'>

/**
 * Stores the roles of a user on these repositories. A user who can only see public data needs no row,
 * and gets none. A changed role loses its etag.
 */
export async function putRoles(
  db: Database,
  userId: number,
  roles: readonly RoleOn[],
): Promise<void> {
  if (roles.length === 0) return
  const ids = roles.map(({ repository_id }) => repository_id)
  await sql`
    with given as materialized (
      select id, may_push, may_admin, may_push or may_admin or private as is_kept
      from unnest(
        ${ids}::bigint[], ${roles.map(({ push }) => push)}::boolean[],
        ${roles.map(({ admin }) => admin)}::boolean[]
      ) as roles (id, may_push, may_admin) join repositories using (id)
    ), gone as (
      delete from permissions where user_id = ${userId} and repository_id in (
        select id from given where not is_kept)
    )
    insert into permissions (user_id, repository_id, pull, push, admin)
    select ${userId}::bigint, id, true, may_push, may_admin from given where is_kept order by id
    on conflict (user_id, repository_id)
    do update set pull = true, push = excluded.push, admin = excluded.admin, asked_etag = null
    where (permissions.push, permissions.admin) is distinct from (excluded.push, excluded.admin)
  `.execute(db)
}

/** Stores the role of a user on one repository; undefined removes the role. */
export async function setRole(
  db: Database,
  userId: number,
  repository_id: number,
  role: Role | undefined,
): Promise<void> {
  if (role) return putRoles(db, userId, [{ repository_id, push: role.push, admin: role.admin }])
  await db
    .deleteFrom('permissions')
    .where('user_id', '=', userId)
    .where('repository_id', '=', repository_id)
    .execute()
}

/** Removes a user's permissions on the repositories of an owner. */
export async function dropPermissionsIn(
  db: Database,
  userId: number,
  { owner_id, owner_type }: OwnerRef,
): Promise<void> {
  await db
    .deleteFrom('permissions')
    .where('user_id', '=', userId)
    .where('repository_id', 'in', (eb) =>
      eb
        .selectFrom('repositories')
        .select('id')
        .where('owner_id', '=', owner_id)
        .where('owner_type', '=', owner_type),
    )
    .execute()
}

/**
 * Removes a user's permissions on repositories of the code host, except repositories on the pages read
 * for the user, repositories of installations that were refused, and the user's own.
 */
export async function keepPermissions(
  db: Database,
  userId: number,
  refused: readonly number[],
): Promise<void> {
  await sql`
    delete from permissions using repositories
    where repositories.id = repository_id and provider = 'codehost' and user_id = ${userId}
      and not (owner_type = 'User' and owner_id = ${userId})
      and not exists (
        select from installations
        where installations.id = installation_id
          and installations.codehost_id = any(${refused}::bigint[])
      )
      and repository_id <> all(
        select (entry->>'id')::bigint from sync_pages, jsonb_array_elements(entries) as entry
        where sync_pages.user_id = ${userId} and list like 'repositories:%'
      )
  `.execute(db)
}

/** Removes everyone's permissions on a repository. */
export async function dropPermissionsOn(db: Database, repositoryId: number): Promise<void> {
  await db.deleteFrom('permissions').where('repository_id', '=', repositoryId).execute()
}

/** The users who have a right on a repository. */
export async function holdersOf(db: Database, repositoryId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('permissions')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The roles of the user on these repositories, by repository id. */
export async function rolesOn(
  db: Database,
  repositoryIds: readonly number[],
  userId: number | undefined,
): Promise<Map<number, Role>> {
  if (userId === undefined || repositoryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('permissions')
    .select(['repository_id', 'pull', 'push', 'admin'])
    .where('user_id', '=', userId)
    .where('repository_id', 'in', repositoryIds)
    .execute()
  return new Map(rows.map(({ repository_id, ...role }) => [repository_id, role]))
}

/** The roles of a user on all repositories, in the order of their ids. */
export function rolesOfUser(db: Database, userId: number): Promise<Omit<Permission, 'user_id'>[]> {
  return db
    .selectFrom('permissions')
    .select(['repository_id', 'pull', 'push', 'admin'])
    .where('user_id', '=', userId)
    .orderBy('repository_id')
    .execute()
}
