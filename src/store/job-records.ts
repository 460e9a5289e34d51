import type { Commit } from '../domain/commit.ts'
import type { Job } from '../domain/job/job.ts'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import { together } from './together.ts'
import { commitIn, type Written } from './written.ts'

/** What is shown beside a job. */
export interface JobRecords {
  commit: Commit | null
  /** Whether its build was requested from a fork, which is assumed of one whose request is gone. */
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

/** The records that are shown beside a job, in one statement. */
export async function recordsOfJob(db: Database, job: Job): Promise<JobRecords> {
  const { commit, from_fork } = await read(db, job)
  return { commit: commit && commitIn(commit), from_fork: from_fork ?? true }
}
