import { sql } from 'kysely'
import type { Failure } from '../../domain/failure/failure.ts'
import type { JobRun } from '../../domain/failure/job-run.ts'
import { isShownWithJob } from '../sql/visibility.ts'
import { type Database, json } from '../tables.ts'

/** The number of passed runs whose shapes are kept, for each job of a branch or pull request. */
export const mostGreen = 3

/** Stores a run; of the passed runs, only the newest few keep their shapes. */
export async function insertRun(
  db: Database,
  run: Omit<JobRun, 'ended_at'> & { ended_at?: Date },
  shapes: Uint8Array | null,
): Promise<void> {
  const { inputs, failure, outside, ...columns } = run
  await db
    .insertInto('job_runs')
    .values({
      ...columns,
      inputs: json(inputs),
      failure: failure && json(failure),
      outside: outside && json(outside),
      shapes: shapes && Buffer.from(shapes),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (shapes === null) return
  await sql`
    update job_runs set shapes = null
    where (job_id, attempt) in (
      select job_id, attempt from job_runs
      where repository_id = ${run.repository_id} and job_key = ${run.job_key}
        and branch = ${run.branch} and shapes is not null
        and pull_request_id is not distinct from ${run.pull_request_id}::bigint
      order by job_id desc, attempt desc
      offset ${mostGreen}
    )
  `.execute(db)
}

/** The job and branch in which passed runs are searched for, to compare a run with. */
export interface Comparable extends Pick<
  JobRun,
  'job_id' | 'repository_id' | 'job_key' | 'branch' | 'pull_request_id'
> {
  default_branch: string
}

export interface GreenRun {
  job_id: number
  /** `7.1` */
  number: string
  shapes: Uint8Array
}

/**
 * The last passed runs of the same job, of its branch or pull request, then of the default branch.
 * Runs of other pull requests never count: a fork could fill them with the lines that it wants to
 * hide.
 */
export async function greenRuns(
  db: Database,
  { job_id, repository_id, job_key, branch, pull_request_id, default_branch }: Comparable,
): Promise<GreenRun[]> {
  const { rows } = await sql<GreenRun>`
    select runs.job_id, jobs.number, runs.shapes
    from job_runs as runs join jobs on jobs.id = runs.job_id
    where runs.repository_id = ${repository_id} and runs.job_key = ${job_key}
      and runs.shapes is not null
      -- Their numbers are shown.
      and ${isShownWithJob(job_id)}
      and (runs.pull_request_id = ${pull_request_id}::bigint
        or runs.pull_request_id is null and runs.branch in (${branch}, ${default_branch}))
    order by
      case
        when runs.pull_request_id is not null then 0
        when runs.branch = ${branch} then 1
        else 2
      end,
      runs.job_id desc, runs.attempt desc
    limit ${mostGreen}
  `.execute(db)
  return rows
}

/** A passed run, to compare others with. */
export type PassedRun = Pick<JobRun, 'job_id' | 'sha' | 'inputs' | 'ended_at'> & {
  shapes: Uint8Array
}

/** The runs of these jobs that passed, in the current attempt of each. */
export async function passedRuns(db: Database, jobIds: readonly number[]): Promise<PassedRun[]> {
  if (jobIds.length === 0) return []
  return db
    .selectFrom('job_runs')
    .innerJoin('jobs', 'jobs.id', 'job_runs.job_id')
    .whereRef('jobs.attempt', '=', 'job_runs.attempt')
    .where('jobs.id', 'in', jobIds)
    .where('job_runs.state', '=', 'passed')
    .where('shapes', 'is not', null)
    .select(['job_id', 'sha', 'inputs', 'ended_at', 'shapes'])
    .$narrowType<{ shapes: Uint8Array }>()
    .execute()
}

/**
 * The failures of these jobs in their current attempts, by job; jobs without a known failure are
 * left out.
 */
export async function failuresOf(
  db: Database,
  jobIds: readonly number[],
): Promise<Map<number, Failure>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('job_runs')
    .innerJoin('jobs', 'jobs.id', 'job_runs.job_id')
    .whereRef('jobs.attempt', '=', 'job_runs.attempt')
    .where('jobs.id', 'in', jobIds)
    .where('jobs.state', 'in', ['failed', 'errored'])
    .select(['job_id', 'failure'])
    .execute()
  return new Map(rows.flatMap(({ job_id, failure }) => (failure ? [[job_id, failure]] : [])))
}
