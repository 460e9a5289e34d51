import { sql } from 'kysely'
import type { ListViewer } from '../access/viewer.ts'
import { hasRole } from '../access/visibility.ts'
import type { Build, BuildState } from '../domain/build.ts'
import type { OwnerRef } from '../domain/owner.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import type { EventType } from '../domain/request/request.ts'
import { isStorable } from '../domain/storable-text.ts'
import { type Page, type Paged, readPage } from './page.ts'
import type { Database } from './tables.ts'
import { listedFor, visibleIn } from './visibility.ts'

const orders = {
  id: sql.ref('builds.id'),
  created_at: sql.ref('builds.created_at'),
  started_at: sql.ref('builds.started_at'),
  finished_at: sql.ref('builds.finished_at'),
  number: sql.ref('builds.number'),
}

export const buildSortKeys = Object.keys(orders) as (keyof typeof orders)[]

/** Builds have one of these each; an empty list is no filter. */
interface BuildFilter {
  states: readonly string[]
  previous_states: readonly string[]
  event_types: readonly string[]
  /** Logins, compared without case. */
  creators: readonly string[]
  /** Names; builds of pull requests are of none. */
  branches: readonly string[]
}

/** A page of a repository's builds, as far as its viewer can see them. */
export function pageOfBuilds(
  db: Database,
  repository: Seen<Repository>,
  filter: BuildFilter,
  page: Page,
): Promise<Paged<Build>> {
  const { states, previous_states, event_types, creators, branches } = filter
  const query = db
    .selectFrom('builds')
    .selectAll('builds')
    .where('builds.repository_id', '=', repository.id)
    .where(visibleIn(repository, 'builds'))
    .$if(states.length > 0, (query) =>
      query.where('state', '=', sql<BuildState>`any(${storable(states)}::text[])`),
    )
    .$if(previous_states.length > 0, (query) =>
      query.where(
        'previous_state',
        '=',
        sql<BuildState>`any(${storable(previous_states)}::text[])`,
      ),
    )
    .$if(event_types.length > 0, (query) =>
      query.where('event_type', '=', sql<EventType>`any(${storable(event_types)}::text[])`),
    )
    .$if(creators.length > 0, (query) => query.where(createdBy(creators)))
    .$if(branches.length > 0, (query) =>
      query.where(
        sql<boolean>`builds.branch_id in (
          select id from branches where branches.repository_id = ${repository.id}
            and branches.name = any(${storable(branches)}::text[]))`,
      ),
    )
  const isAll = hasRole(repository) && Object.values(filter).flat().length === 0
  return readPage(db, query, page, orders, orders.id, isAll ? countOfBuilds(repository) : undefined)
}

/** Builds are numbered without gaps, and none is deleted before its repository. */
const countOfBuilds = ({ next_build_number }: Repository) => next_build_number - 1

const storable = (texts: readonly string[]) => texts.filter(isStorable)

/** Whether a build was triggered by a user with one of these logins. */
export function createdBy(logins: readonly string[]) {
  const names = storable(logins).map((login) => login.toLowerCase())
  return sql<boolean>`builds.sender_id in (
    select id from users where lower(users.login) = any(${names}::text[]))`
}

/** A page of the builds that a user triggered, as far as the viewer can see them. */
export function pageOfBuildsBy(
  db: Database,
  senderId: number,
  viewer: ListViewer,
  page: Page,
): Promise<Paged<Build>> {
  const query = db
    .selectFrom('builds')
    .innerJoin('repositories', 'repositories.id', 'builds.repository_id')
    .selectAll('builds')
    .where('builds.sender_id', '=', senderId)
    .where(listedFor(viewer, 'builds'))
  return readPage(db, query, page, orders, orders.id)
}

/** The builds of an owner's repositories that have not finished, as far as the viewer can see them. */
export function unfinishedBuildsOf(
  db: Database,
  { owner_id, owner_type }: OwnerRef,
  viewer: ListViewer,
): Promise<Build[]> {
  return db
    .selectFrom('builds')
    .innerJoin('repositories', 'repositories.id', 'builds.repository_id')
    .selectAll('builds')
    .where('repositories.owner_id', '=', owner_id)
    .where('repositories.owner_type', '=', owner_type)
    .where('builds.state', 'in', ['created', 'received', 'started'])
    .where(listedFor(viewer, 'builds'))
    .orderBy('builds.id')
    .execute()
}
