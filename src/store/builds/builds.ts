import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Build, BuildState } from '../../domain/build.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Request } from '../../domain/request/request.ts'
import { runPrepared, runPreparedFirst, runPreparedOne } from '../sql/prepared-statements.ts'
import { visibleTo } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'

const finalStates = ['passed', 'failed', 'errored', 'canceled'] as const

export function insertBuild(db: Database, build: Insertable<Tables['builds']>): Promise<Build> {
  return runPreparedOne(db, db.insertInto('builds').values(build).returningAll())
}

export function findBuild(db: Database, id: number): Promise<Build | undefined> {
  return db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findBuildOfRequest(db: Database, requestId: number): Promise<Build | undefined> {
  return db.selectFrom('builds').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

/** The newest build of each branch, tag and pull request that a commit is the head of, in order. */
export async function buildsOfCommit(
  db: Database,
  repositoryId: number,
  sha: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select max(builds.id) as id
    from builds
    join requests on requests.id = builds.request_id
    join commits on commits.id = builds.commit_id
    where builds.repository_id = ${repositoryId}
      and coalesce(requests.head_commit, commits.sha) = ${sha}
    group by builds.pull_request_id, commits.ref
    order by 1
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the build for the rest of the transaction; every change of its rows requires this (ST-01). */
export function lockBuild(db: Database, id: number): Promise<Build | undefined> {
  return runPreparedFirst(db, db.selectFrom('builds').selectAll().where('id', '=', id).forUpdate())
}

export async function updateBuild(
  db: Database,
  id: number,
  changes: Updateable<Tables['builds']>,
): Promise<void> {
  const updated = db
    .updateTable('builds')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
  await runPrepared(db, updated)
}

/** A branch to be built, with the final state of its last finished build, if there is one. */
interface BranchToBuild {
  branch_id: number
  previous_state: BuildState | null
}

/** Undefined for a branch without any event. */
export function findBranchToBuild(
  db: Database,
  repositoryId: number,
  name: string,
): Promise<BranchToBuild | undefined> {
  const found = db
    .selectFrom('branches')
    .select('id as branch_id')
    .select((eb) =>
      eb
        .selectFrom('builds')
        .select('state')
        .whereRef('builds.branch_id', '=', 'branches.id')
        .where('event_type', '<>', 'pull_request')
        .where('state', 'in', finalStates)
        .orderBy('builds.id', 'desc')
        .limit(1)
        .as('previous_state'),
    )
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
  return runPreparedFirst(db, found)
}

/** The notifications section of the newest build of a branch; undefined if there is none. */
export async function notificationsOfBranch(
  db: Database,
  repositoryId: number,
  branch: string,
): Promise<Build['notifications'] | undefined> {
  const row = await db
    .selectFrom('branches')
    .innerJoin('builds', 'builds.id', 'branches.last_build_id')
    .select('builds.notifications')
    .where('branches.repository_id', '=', repositoryId)
    .where('branches.name', '=', branch)
    .executeTakeFirst()
  return row?.notifications
}

/** The request of the newest build of a branch; undefined if there is none. */
export async function newestRequestOfBranch(
  db: Database,
  repositoryId: number,
  branch: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('branches')
    .innerJoin('builds', 'builds.id', 'branches.last_build_id')
    .select('builds.request_id')
    .where('branches.repository_id', '=', repositoryId)
    .where('branches.name', '=', branch)
    .executeTakeFirst()
  return row?.request_id ?? undefined
}

/** The newest build of a pull request. */
export function newestBuildOfPull(db: Database, pullRequestId: number): Promise<Build | undefined> {
  return db
    .selectFrom('builds')
    .selectAll()
    .where('pull_request_id', '=', pullRequestId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A pull request, at the ref of its merge commit or at that of a merge group. */
export type PullRef = { pull_request_id: number } & Pick<Request, 'ref'>

/** Whether a build is of this pull request. A merge group is one of its own, despite its number (D49 f). */
export function isOfPull({ pull_request_id, ref }: PullRef): RawBuilder<boolean> {
  return sql<boolean>`builds.pull_request_id = ${pull_request_id} and exists (
    select from requests where requests.id = builds.request_id
      and requests.ref is not distinct from ${ref}::text)`
}

/** The final state of the last finished build of this pull request or merge group. */
export async function lastOutcomeOfPull(db: Database, of: PullRef): Promise<BuildState | null> {
  const row = await db
    .selectFrom('builds')
    .select('state')
    .where(isOfPull(of))
    .where('state', 'in', finalStates)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state ?? null
}

const recentPerBranch = 10

/** The newest push builds of each branch that the viewer can see, in the branches' order. */
export async function recentBuildsOfBranches(
  db: Database,
  branches: readonly { id: number | null }[],
  viewerId: number | undefined,
  most: number,
): Promise<Build[][]> {
  const ids = branches.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return branches.map(() => [])
  const builds = await db
    .selectFrom('branches')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('builds')
          .selectAll('builds')
          .whereRef('builds.branch_id', '=', 'branches.id')
          .where('builds.event_type', '=', 'push')
          .where(visibleTo(viewerId, 'builds'))
          .orderBy('builds.id', 'desc')
          .limit(recentPerBranch)
          .as('recent'),
      (join) => join.onTrue(),
    )
    .selectAll('recent')
    .where('branches.id', 'in', ids)
    .orderBy('recent.id', 'desc')
    .limit(most)
    .execute()
  const ofBranch = grouped(builds, ({ branch_id }) => branch_id)
  return branches.map(({ id }) => (id === null ? [] : (ofBranch.get(id) ?? [])))
}

/** The configuration that a build was made of: its file with all imports, in normal form. */
export async function configOfBuild(db: Database, id: number): Promise<unknown> {
  const row = await db.selectFrom('builds').select('config').where('id', '=', id).executeTakeFirst()
  return row?.config
}
