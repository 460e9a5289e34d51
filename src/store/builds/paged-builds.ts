import { type Expression, type SqlBool, sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import { hasRole } from '../../access/visibility.ts'
import type { Build } from '../../domain/build.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { listedFor, visibleIn } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'
import { countOfDeletedBuilds } from './deleted-builds.ts'

const orders = {
  id: sql.ref('builds.id'),
  created_at: sql.ref('builds.created_at'),
  started_at: sql.ref('builds.started_at'),
  finished_at: sql.ref('builds.finished_at'),
  number: sql.ref('builds.number'),
}

export const buildSortKeys = Object.keys(orders) as (keyof typeof orders)[]

/** Builds must match one value of each list; an empty list does not filter. */
interface BuildFilter {
  states: readonly string[]
  previous_states: readonly string[]
  event_types: readonly string[]
  /** Logins, compared without case. */
  creators: readonly string[]
  /** Names; builds of pull requests belong to their base branch. */
  branches: readonly string[]
  /** Numbers of pull requests. */
  pulls?: readonly number[]
}

/** A page of a repository's builds, as far as its viewer can see them. */
export async function pageOfBuilds(
  db: Database,
  repository: Seen<Repository>,
  filter: BuildFilter,
  page: Page,
): Promise<Paged<Build>> {
  const { states, previous_states, event_types, creators, branches, pulls = [] } = filter
  const [branchIds, senderIds, pullIds] = await Promise.all([
    branches.length > 0 ? idsOfBranches(db, repository, branches) : undefined,
    creators.length > 0 ? idsOfUsers(db, creators) : undefined,
    pulls.length > 0 ? idsOfPulls(db, repository, pulls) : undefined,
  ])
  const query = db
    .selectFrom('builds')
    .selectAll('builds')
    .$if(branchIds !== undefined, (query) => query.where(isOneOf('branch_id', branchIds ?? [])))
    // The builds of a branch belong to its repository: comparing the repository as well would read each
    // of them, unless they are filtered by state, for which an index contains both.
    .$if(branchIds === undefined || states.length > 0, (query) =>
      query.where('builds.repository_id', '=', repository.id),
    )
    .where(visibleIn(repository, 'builds'))
    .$if(states.length > 0, (query) => query.where(isOneOf('state', storable(states))))
    .$if(previous_states.length > 0, (query) =>
      query.where(isOneOf('previous_state', storable(previous_states))),
    )
    .$if(event_types.length > 0, (query) =>
      query.where(isOneOf('event_type', storable(event_types))),
    )
    .$if(pullIds !== undefined, (query) => query.where(isOneOf('pull_request_id', pullIds ?? [])))
    .$if(senderIds !== undefined, (query) => query.where(isOneOf('sender_id', senderIds ?? [])))
  const isAll = hasRole(repository) && Object.values(filter).flat().length === 0
  const known = isAll ? () => countOfBuilds(db, repository) : undefined
  return readPage(db, query, page, orders, orders.id, known)
}

/**
 * Whether a column of builds has one of these values. A single value is compared with `=`: only then
 * does an index return its rows in the order of the columns that follow.
 */
function isOneOf(
  column: keyof Tables['builds'],
  values: readonly number[] | readonly string[],
): Expression<SqlBool> {
  const ref = sql.ref(`builds.${column}`)
  return values.length === 1 ? sql`${ref} = ${values[0]}` : sql`${ref} = any(${values})`
}

// The ids are read before the page, so that the page is planned for the given branch or user: some have
// only a few of the builds, and some have most of them.

async function idsOfBranches(
  db: Database,
  { id }: Repository,
  names: readonly string[],
): Promise<number[]> {
  const found = await db
    .selectFrom('branches')
    .select('id')
    .where('repository_id', '=', id)
    .where('name', '=', sql<string>`any(${storable(names)}::text[])`)
    .execute()
  return found.map(({ id }) => id)
}

async function idsOfPulls(
  db: Database,
  { id }: Repository,
  numbers: readonly number[],
): Promise<number[]> {
  const found = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', id)
    .where('number', 'in', numbers)
    .execute()
  return found.map(({ id }) => id)
}

async function idsOfUsers(db: Database, logins: readonly string[]): Promise<number[]> {
  const found = await db.selectFrom('users').select('id').where(hasLogin(logins)).execute()
  return found.map(({ id }) => id)
}

/** Builds are numbered without gaps, and retention remembers those that it deletes. */
async function countOfBuilds(db: Database, { id, next_build_number }: Repository): Promise<number> {
  return next_build_number - 1 - (await countOfDeletedBuilds(db, id))
}

const storable = (texts: readonly string[]) => texts.filter(isStorable)

/** Whether a build was triggered by a user with one of these logins. */
export function createdBy(logins: readonly string[]) {
  return sql<boolean>`builds.sender_id in (select id from users where ${hasLogin(logins)})`
}

function hasLogin(logins: readonly string[]) {
  const names = storable(logins).map((login) => login.toLowerCase())
  return sql<boolean>`lower(users.login) = any(${names}::text[])`
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
