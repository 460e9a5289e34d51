import { type Expression, sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import type { BareJob, JobState } from '../../domain/job/job.ts'
import type { Repository } from '../../domain/repository.ts'
import { type JobOfBuild, shownJobMembers } from '../builds/build-records.ts'
import { listedFor } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { bareColumns } from './job-columns.ts'

/** A job of a list, with the data of its repository and its request that it shows. */
export type ListedJob = JobOfBuild & {
  repository: Pick<Repository, 'owner_name' | 'name'>
  from_fork: boolean
}

/** The jobs with these ids that the viewer can see, in the order of the ids. */
export async function listedJobsByIds(
  db: Database,
  ids: readonly number[],
  viewer: ListViewer,
): Promise<ListedJob[]> {
  if (ids.length === 0) return []
  const rows = await jobsFor(db, viewer)
    .where('jobs.id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('jobs.id')
    .execute()
  return rows.map(listedJob)
}

/** A job with the name of its repository. */
export type OpenJob = BareJob & { repository: Pick<Repository, 'owner_name' | 'name'> }

/** The oldest jobs in these states that the viewer can see, in the order of their ids. */
export async function openJobs(
  db: Database,
  states: readonly JobState[],
  viewer: ListViewer,
  limit: number,
): Promise<OpenJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .select(bareColumns.map((column) => `jobs.${column}` as const))
    .select(['repositories.owner_name', 'repositories.name as repository_name'])
    .where('jobs.state', 'in', states)
    .where(listedFor(viewer, 'jobs'))
    .orderBy('jobs.id')
    .limit(limit)
    .execute()
  return rows.map(({ owner_name, repository_name, ...job }) => ({
    ...job,
    repository: { owner_name, name: repository_name },
  }))
}

/** Undefined members do not filter. */
interface JobFilter {
  states: readonly JobState[] | undefined
  queue: string | undefined
}

/** The newest jobs that the viewer can see, in the order of their ids. */
export async function newestJobs(
  db: Database,
  { states, queue }: JobFilter,
  viewer: ListViewer,
  limit: number,
): Promise<ListedJob[]> {
  const [state] = states ?? []
  const rows = await jobsFor(db, viewer)
    .$if(states?.length === 1, (query) => query.where('jobs.state', '=', state ?? 'created'))
    .$if(states !== undefined && states.length > 1, (query) =>
      query.where('jobs.id', 'in', newestOfEach(db, { states, queue }, viewer, limit)),
    )
    .$if(queue !== undefined, (query) => query.where('jobs.queue', '=', queue ?? ''))
    .orderBy('jobs.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(listedJob).toReversed()
}

/** The ids of the newest jobs in each of these states: an index has the jobs of one state in order. */
function newestOfEach(
  db: Database,
  { states, queue }: JobFilter,
  viewer: ListViewer,
  limit: number,
): Expression<number> {
  const newest = db
    .selectFrom('jobs')
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .select('jobs.id')
    .where(sql<boolean>`jobs.state = wanted.state`)
    .$if(queue !== undefined, (query) => query.where('jobs.queue', '=', queue ?? ''))
    .where(listedFor(viewer, 'jobs'))
    .orderBy('jobs.id', 'desc')
    .limit(limit)
  return sql`(
    select newest.id from unnest(${states}::text[]) as wanted (state) cross join lateral ${newest} as newest
    order by newest.id desc limit ${limit})`
}

function jobsFor(db: Database, viewer: ListViewer) {
  return (
    db
      .selectFrom('jobs')
      .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
      .select(shownJobMembers.map((member) => `jobs.${member}` as const))
      .select(['repositories.owner_name', 'repositories.name'])
      // A subquery looks this up only for the jobs of the list; a join would not.
      .select(
        sql<boolean>`(
        select requests.from_fork from builds join requests on requests.id = builds.request_id
        where builds.id = jobs.build_id)`.as('from_fork'),
      )
      .where(listedFor(viewer, 'jobs'))
  )
}

function listedJob({
  owner_name,
  name,
  ...job
}: Omit<ListedJob, 'repository'> & Pick<Repository, 'owner_name' | 'name'>): ListedJob {
  return { ...job, repository: { owner_name, name } }
}
