import { sql } from 'kysely'
import type { JobConfig } from '../domain/job/job.ts'
import type { Database } from './tables.ts'

interface FoundConfig {
  config: JobConfig
  /** Whether its build was requested from a fork, which is assumed of one whose request is gone. */
  from_fork: boolean
}

/** What these jobs run by, by their ids. */
export async function jobConfigs(
  db: Database,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, FoundConfig>> {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .leftJoin('requests', 'requests.id', 'builds.request_id')
    .select(['jobs.id', 'jobs.config', 'requests.from_fork'])
    .where('jobs.id', '=', sql<number>`any(${jobIds}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ id, config, from_fork }) => [id, { config, from_fork: from_fork ?? true }]),
  )
}
