import { sql } from 'kysely'
import type { Commit } from '../../domain/commit/commit.ts'
import type { Job, JobConfig, JobOrigin } from '../../domain/job/job.ts'
import { together } from '../sql/batched-query.ts'
import { commitIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** The records shown with a job. */
export interface JobRecords {
  commit: Commit | null
  /** Whether its build was requested from a fork; assumed if its request is deleted. */
  from_fork: boolean
}

interface Row {
  commit: Written<Commit> | null
  from_fork: boolean | null
}

const recordsOf = prepared<Row>(`
  select
    (select row_to_json(commits) from commits where id = asked.commit_id) as commit,
    (select requests.from_fork from builds join requests on requests.id = builds.request_id
      where builds.id = asked.build_id) as from_fork
  from unnest(${['$1', '$2'].map((list) => listed(list, 'bigint[]')).join()})
    with ordinality as asked (build_id, commit_id, position)
  order by asked.position
`)

const read = together(async (db, jobs: readonly Job[]) => [
  ...(await recordsOf(
    db,
    jobs.map(({ build_id }) => build_id),
    jobs.map(({ commit_id }) => commit_id),
  )),
])

/** The records shown with a job, in one statement. */
export async function recordsOfJob(db: Database, job: Job): Promise<JobRecords> {
  const { commit, from_fork } = await read(db, job)
  return { commit: commit && commitIn(commit), from_fork: from_fork ?? true }
}

export interface FoundConfig {
  config: JobConfig
  origin: JobOrigin
  /** Whether its build was requested from a fork; assumed if its request is deleted. */
  from_fork: boolean
}

/** The configurations of these jobs by job id; undefined if their total size exceeds `mostBytes`. */
export async function jobConfigs(
  db: Database,
  jobIds: readonly number[],
  mostBytes: number,
): Promise<ReadonlyMap<number, FoundConfig> | undefined> {
  const { rows } = await sql<
    Omit<FoundConfig, 'from_fork'> & { id: number; from_fork: boolean | null }
  >`
    select id, config, origin, from_fork from (
      select jobs.id, jobs.config, jobs.origin, requests.from_fork,
        sum(octet_length(jobs.config::text)) over () as length
      from jobs join builds on builds.id = jobs.build_id
      left join requests on requests.id = builds.request_id
      where jobs.id = any(${jobIds}::bigint[])
    ) as configs where length <= ${mostBytes}
  `.execute(db)
  if (rows.length === 0 && jobIds.length > 0) return undefined
  return new Map(
    rows.map(({ id, from_fork, ...found }) => [id, { ...found, from_fork: from_fork ?? true }]),
  )
}
