import { sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import { grouped } from '../../domain/grouped.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Repository, Role, Seen } from '../../domain/repository.ts'
import { existingRepository, listedFor } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { tokenUser } from '../tokens/token-grants.ts'
import { isSlug } from './repositories.ts'
import { slugContains } from './slug-search.ts'

/** Undefined members do not filter. */
export interface RepositoryFilter {
  /** The login of a user with a role on the repository. */
  member: string | undefined
  owner_name: string | undefined
  slug: string | undefined
  /** A part of the repository's slug. */
  search: string | undefined
  /** Whether only active repositories are listed. */
  active: boolean
}

/** The repositories with these ids that the viewer can see, in the order of the ids. */
export async function listedRepositoriesByIds(
  db: Database,
  ids: readonly number[],
  viewer: ListViewer,
): Promise<Seen<Repository>[]> {
  if (ids.length === 0) return []
  const rows = await repositoriesFor(db, viewer)
    .where('repositories.id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('repositories.id')
    .execute()
  return rows.map(seenRepository)
}

/** The repositories of each of these owners that the viewer can see, by id. */
export async function repositoriesOfOwners(
  db: Database,
  owners: readonly OwnerRef[],
  viewer: ListViewer,
  most: number,
): Promise<Seen<Repository>[][]> {
  const types = owners.map(({ owner_type }) => owner_type)
  const ids = owners.map(({ owner_id }) => owner_id)
  const rows = await repositoriesFor(db, viewer)
    .where(
      sql<boolean>`(repositories.owner_type, repositories.owner_id) in (
        select * from unnest(${types}::text[], ${ids}::bigint[]))`,
    )
    .orderBy('repositories.id')
    .limit(most)
    .execute()
  const ofOwner = grouped(rows.map(seenRepository), nameOf)
  return owners.map((owner) => ofOwner.get(nameOf(owner)) ?? [])
}

const nameOf = ({ owner_type, owner_id }: OwnerRef) => `${owner_type} ${owner_id}`

/**
 * The repositories that the viewer can see, the latest start of a build first. Without a filter by a
 * part of the slug, repositories that are being built come before all others.
 */
export async function listedRepositories(
  db: Database,
  filter: RepositoryFilter,
  viewer: ListViewer,
  limit: number,
): Promise<Seen<Repository>[]> {
  const { owner_name, slug, search } = filter
  if (slug !== undefined && !isSlug(slug)) return []
  const isTimeline = [owner_name, slug, search].every((name) => name === undefined)
  const query = filtered(repositoriesFor(db, viewer), filter)
  const [building, recent] = await Promise.all([
    isTimeline ? latest(beingBuilt(query), limit) : [],
    latest(query, limit),
  ])
  const first = new Set(building.map(({ id }) => id))
  return [...building, ...recent.filter(({ id }) => !first.has(id))]
    .slice(0, limit)
    .map(seenRepository)
}

function repositoriesFor(db: Database, viewer: ListViewer) {
  return db
    .selectFrom('repositories')
    .leftJoin('permissions', (join) =>
      join
        .onRef('permissions.repository_id', '=', 'repositories.id')
        .on('permissions.user_id', '=', sql<number>`${viewer.userId ?? null}::bigint`),
    )
    .selectAll('repositories')
    .select(['permissions.pull', 'permissions.push', 'permissions.admin'])
    .where(listedFor(viewer, 'repositories'))
}

type ListQuery = ReturnType<typeof repositoriesFor>

function filtered(
  query: ListQuery,
  { member, owner_name, slug, search, active }: RepositoryFilter,
): ListQuery {
  const [owner = '', name = ''] = slug?.toLowerCase().split('/', 2) ?? []
  return query
    .$if(active, (query) => query.where('repositories.active', '=', true))
    .$if(member !== undefined, (query) =>
      query.where(
        sql<boolean>`repositories.id in (
          select roles.repository_id from permissions as roles join users on users.id = roles.user_id
          where lower(users.login) = ${member?.toLowerCase()} and not ${sql.raw(tokenUser)})`,
      ),
    )
    .$if(owner_name !== undefined, (query) =>
      query.where('repositories.owner_name', '=', owner_name ?? ''),
    )
    .$if(slug !== undefined, (query) =>
      query.where(
        sql<boolean>`lower(repositories.owner_name) = ${owner} and lower(repositories.name) = ${name}`,
      ),
    )
    .$if(search !== undefined, (query) => query.where(slugContains(search ?? '')))
}

/** The repositories whose last build runs now. Few such builds exist at a time, so they are read first. */
function beingBuilt(query: ListQuery): ListQuery {
  return query.where(
    sql<boolean>`(repositories.id, repositories.last_build_id) in (
      select repository_id, id from builds where state = 'started' offset 0)`,
  )
}

function latest(query: ListQuery, limit: number) {
  return query
    .orderBy('repositories.last_build_started_at', (order) => order.desc().nullsLast())
    .orderBy('repositories.id', 'desc')
    .limit(limit)
    .execute()
}

interface HookFilter {
  /** Whether repositories on which the user has a role other than admin are listed as well. */
  all: boolean
  ids: readonly number[] | undefined
  owner_name: string | undefined
  name: string | undefined
  /** Whether the repositories are sorted by slug instead of by id. */
  sorted: boolean
}

/** The repositories that a user can enable and disable. */
export async function hookedRepositories(
  db: Database,
  userId: number,
  { all, ids, owner_name, name, sorted }: HookFilter,
): Promise<Seen<Repository>[]> {
  const rows = await db
    .selectFrom('permissions')
    .innerJoin('repositories', 'repositories.id', 'permissions.repository_id')
    .selectAll('repositories')
    .select(['permissions.pull', 'permissions.push', 'permissions.admin'])
    .where('permissions.user_id', '=', userId)
    .where(sql<boolean>`${sql.raw(existingRepository)}`)
    .$if(!all, (query) => query.where('permissions.admin', '=', true))
    .$if(ids !== undefined, (query) =>
      query.where('repositories.id', '=', sql<number>`any(${ids}::bigint[])`),
    )
    .$if(owner_name !== undefined, (query) =>
      query.where('repositories.owner_name', '=', owner_name ?? ''),
    )
    .$if(name !== undefined, (query) => query.where('repositories.name', '=', name ?? ''))
    .$if(sorted, (query) => query.orderBy('repositories.owner_name').orderBy('repositories.name'))
    .orderBy('repositories.id')
    .execute()
  return rows.map(seenRepository)
}

function seenRepository({
  pull,
  push,
  admin,
  ...repository
}: Repository & { [K in keyof Role]: boolean | null }): Seen<Repository> {
  const role = pull === null || push === null || admin === null ? null : { pull, push, admin }
  return { ...repository, role }
}
