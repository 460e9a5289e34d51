import { sql } from 'kysely'
import type { ListViewer } from '../access/viewer.ts'
import type { JobState } from '../domain/job.ts'
import type { Repository } from '../domain/repository.ts'
import { type JobOfBuild, shownJobMembers } from './build-records.ts'
import type { Database } from './tables.ts'
import { listedFor } from './visibility.ts'

/** A job of a list, with what it shows of its repository and its request. */
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

/** What is undefined is not filtered by. */
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
  const rows = await jobsFor(db, viewer)
    .$if(states !== undefined, (query) => query.where('jobs.state', 'in', states ?? []))
    .$if(queue !== undefined, (query) => query.where('jobs.queue', '=', queue ?? ''))
    .orderBy('jobs.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(listedJob).toReversed()
}

function jobsFor(db: Database, viewer: ListViewer) {
  return (
    db
      .selectFrom('jobs')
      .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
      .select(shownJobMembers.map((member) => `jobs.${member}` as const))
      .select(['repositories.owner_name', 'repositories.name'])
      // Looked up for the jobs of the list alone, which a join would not be.
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
