import { sql } from 'kysely'
import type { JobConfig } from '../domain/job/job.ts'
import type { Database } from './tables.ts'

interface FoundConfig {
  config: JobConfig
  /** Whether its build was requested from a fork, which is assumed of one whose request is gone. */
  from_fork: boolean
}

/** What these jobs run by, by their ids; undefined if all of it has more than so many bytes. */
export async function jobConfigs(
  db: Database,
  jobIds: readonly number[],
  mostBytes: number,
): Promise<ReadonlyMap<number, FoundConfig> | undefined> {
  const { rows } = await sql<{ id: number; config: JobConfig; from_fork: boolean | null }>`
    select id, config, from_fork from (
      select jobs.id, jobs.config, requests.from_fork,
        sum(octet_length(jobs.config::text)) over () as length
      from jobs join builds on builds.id = jobs.build_id
      left join requests on requests.id = builds.request_id
      where jobs.id = any(${jobIds}::bigint[])
    ) as configs where length <= ${mostBytes}
  `.execute(db)
  if (rows.length === 0 && jobIds.length > 0) return undefined
  return new Map(
    rows.map(({ id, config, from_fork }) => [id, { config, from_fork: from_fork ?? true }]),
  )
}
