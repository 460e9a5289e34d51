import { sql } from 'kysely'
import type { BareJob, JobState } from '../../domain/job/job.ts'
import { createdBy } from '../builds/paged-builds.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { existingRepository } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { bareColumns } from './job-columns.ts'

const orders = { id: sql.ref('jobs.id'), state: sql.ref('jobs.state') }

export const jobSortKeys = Object.keys(orders) as (keyof typeof orders)[]

/** Jobs must match one value of each list; undefined states, or no creators, do not filter. */
interface JobFilter {
  states: readonly JobState[] | undefined
  /** Logins, compared without case. */
  creators: readonly string[]
}

/** Maximum number of listed jobs per repository, and per state if filtered by state. */
const mostPerRepository = 100

/** A page of the newest jobs of the repositories on which the user has a role. */
export function pageOfJobs(
  db: Database,
  userId: number,
  { states, creators }: JobFilter,
  page: Page,
): Promise<Paged<BareJob>> {
  // The state is compared only with a filter: with an alternative, no index would find the jobs in a
  // state.
  const wanted = states ? sql`cross join unnest(${states}::text[]) as wanted (state)` : sql``
  const isWanted = states ? sql`jobs.state = wanted.state` : sql`true`
  const newest = sql<{ id: number }>`
    select newest.id
    from permissions
    join repositories on repositories.id = permissions.repository_id
    ${wanted}
    cross join lateral (
      select jobs.id from jobs
      where jobs.repository_id = permissions.repository_id
        and ${isWanted}
      order by jobs.id desc
      limit ${mostPerRepository}
    ) as newest
    where permissions.user_id = ${userId} and ${sql.raw(existingRepository)}`
  const query = db
    .selectFrom('jobs')
    .select(bareColumns.map((column) => `jobs.${column}` as const))
    .where(sql<boolean>`jobs.id in (${newest})`)
    .$if(creators.length > 0, (query) =>
      query.where(
        sql<boolean>`exists (
          select from builds where builds.id = jobs.build_id and ${createdBy(creators)})`,
      ),
    )
  return readPage(db, query, page, orders, orders.id)
}
