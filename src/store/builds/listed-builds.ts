import { sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import { type Build, type BuildState, finishedStates } from '../../domain/build.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import type { EventType } from '../../domain/request/request.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { existingRepository, listedFor, visibleIn } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** A build of a list, with the data of its repository that its jobs show. */
export type ListedBuild = Build & { repository: Pick<Repository, 'owner_name' | 'name'> }

/** Undefined members do not filter. */
export interface BuildFilter {
  number: number | undefined
  /** Only builds with smaller numbers. */
  after_number: number | undefined
  event_types: readonly EventType[] | undefined
  states: readonly BuildState[] | undefined
  /** Names; builds of pull requests belong to no branch. */
  branches: readonly string[] | undefined
  pull_request: boolean | undefined
}

/** The last finished build of a branch that the viewer can see; builds of pull requests belong to none. */
export async function lastFinishedOn(
  db: Database,
  repository: Seen<Repository>,
  branch: string,
): Promise<Build | undefined> {
  const filter = { states: finishedStates, branches: [branch].filter(isStorable) }
  const [build] = await filteredBuilds(db, repository, filter, 1)
  return build
}

/** The builds of a repository that the viewer can see, the one with the highest number first. */
export async function filteredBuilds(
  db: Database,
  repository: Seen<Repository>,
  { number, after_number, event_types, states, branches, pull_request }: Partial<BuildFilter>,
  limit: number,
): Promise<Build[]> {
  // Looked up before, so that the planner knows how many builds the branches have.
  const branchIds = branches && (await branchIdsNamed(db, repository.id, branches))
  if ([event_types, states, branchIds].some((values) => values?.length === 0)) return []
  return db
    .selectFrom('builds')
    .selectAll()
    .where('repository_id', '=', repository.id)
    .where(visibleIn(repository, 'builds'))
    .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
    .$if(after_number !== undefined, (query) => query.where('number', '<', after_number ?? 0))
    .$if(event_types !== undefined, (query) => query.where('event_type', 'in', event_types ?? []))
    .$if(states !== undefined, (query) => query.where('state', 'in', states ?? []))
    .$if(branchIds !== undefined, (query) =>
      query.where('branch_id', 'in', branchIds ?? []).where('event_type', '<>', 'pull_request'),
    )
    .$if(pull_request !== undefined, (query) =>
      query.where('event_type', pull_request === true ? '=' : '<>', 'pull_request'),
    )
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

async function branchIdsNamed(
  db: Database,
  repositoryId: number,
  names: readonly string[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('branches')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** The builds with these ids that the viewer can see, in the order of the ids. */
export async function listedBuildsByIds(
  db: Database,
  ids: readonly number[],
  viewer: ListViewer,
): Promise<ListedBuild[]> {
  if (ids.length === 0) return []
  const rows = await buildsWithSlug(db)
    .where('builds.id', '=', sql<number>`any(${ids}::bigint[])`)
    .where(listedFor(viewer, 'builds'))
    .orderBy('builds.id')
    .execute()
  return rows.map(listedBuild)
}

/** The builds that run now in the repositories on which the user has a role, the latest start first. */
export async function runningBuilds(
  db: Database,
  userId: number | undefined,
  limit: number,
): Promise<ListedBuild[]> {
  if (userId === undefined) return []
  const rows = await buildsWithSlug(db)
    .innerJoin('permissions', 'permissions.repository_id', 'repositories.id')
    .where('permissions.user_id', '=', userId)
    .where('builds.state', '=', 'started')
    .where(sql<boolean>`${sql.raw(existingRepository)}`)
    .orderBy('builds.started_at', 'desc')
    .orderBy('builds.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(listedBuild)
}

/** The builds that run or wait, as far as the viewer can see them, oldest first. */
export async function openBuilds(
  db: Database,
  viewer: ListViewer,
  limit: number,
): Promise<ListedBuild[]> {
  const rows = await buildsWithSlug(db)
    .where('builds.state', 'in', ['created', 'received', 'started'])
    .where(listedFor(viewer, 'builds'))
    .orderBy('builds.id')
    .limit(limit)
    .execute()
  return rows.map(listedBuild)
}

function buildsWithSlug(db: Database) {
  return db
    .selectFrom('builds')
    .innerJoin('repositories', 'repositories.id', 'builds.repository_id')
    .selectAll('builds')
    .select(['repositories.owner_name', 'repositories.name'])
}

function listedBuild({
  owner_name,
  name,
  ...build
}: Build & Pick<Repository, 'owner_name' | 'name'>): ListedBuild {
  return { ...build, repository: { owner_name, name } }
}

/** The last builds of a repository's branches, as far as the viewer can see them, newest first. */
export function lastBuildsOfBranches(
  db: Database,
  repository: Seen<Repository>,
  limit: number,
): Promise<Build[]> {
  return db
    .selectFrom('branches')
    .innerJoinLateral(
      // The offset enforces a look-up for each branch: a merge with all builds would read every build
      // between the newest and the oldest of these.
      (query) =>
        query
          .selectFrom('builds')
          .selectAll()
          .whereRef('builds.id', '=', 'branches.last_build_id')
          .offset(0)
          .as('builds'),
      (join) => join.onTrue(),
    )
    .selectAll('builds')
    .where('branches.repository_id', '=', repository.id)
    .where(visibleIn(repository, 'builds'))
    .orderBy('branches.last_build_id', (order) => order.desc().nullsLast())
    .limit(limit)
    .execute()
}
