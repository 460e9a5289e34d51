import { sql } from 'kysely'
import type { HistoryRun, Recovered } from '../../domain/failure/flaky.ts'
import type { JobRun } from '../../domain/failure/job-run.ts'
import type { NamedRun, RunInputs } from '../../domain/failure/outside.ts'
import { isShownWithJob } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import type { Comparable } from './job-runs.ts'

/** An earlier run, with its inputs other than its commit. */
export interface EarlierRun extends NamedRun {
  sha: string
  inputs: RunInputs
  ended_at: Date
}

const earlierRun = sql`runs.job_id, jobs.number, runs.attempt, runs.sha, runs.inputs, runs.ended_at`

/**
 * The runs to compare a run with: of the same job, in its branch or pull request or in the default
 * branch.
 */
const comparable = ({
  job_id,
  repository_id,
  job_key,
  branch,
  pull_request_id,
  default_branch,
}: Comparable) => sql`runs.repository_id = ${repository_id} and runs.job_key = ${job_key}
  -- Their numbers are shown.
  and ${isShownWithJob(job_id)}
  and (runs.pull_request_id = ${pull_request_id}::bigint
    or runs.pull_request_id is null and runs.branch in (${branch}, ${default_branch}))`

/**
 * The last passed run of the same job: of its branch or pull request, else of the default branch.
 */
export async function lastGreenRun(
  db: Database,
  place: Comparable,
): Promise<EarlierRun | undefined> {
  const { rows } = await sql<EarlierRun>`
    select ${earlierRun} from job_runs as runs join jobs on jobs.id = runs.job_id
    where ${comparable(place)} and runs.state = 'passed'
    order by
      case
        when runs.pull_request_id is not null then 0
        when runs.branch = ${place.branch} then 1
        else 2
      end,
      runs.ended_at desc
    limit 1
  `.execute(db)
  return rows[0]
}

/** The first run of the same job in the same branch or pull request that failed with this cause after another run. */
export async function firstRunWithCause(
  db: Database,
  { pull_request_id, branch, ...place }: Comparable,
  { cause, after }: { cause: string | null; after: Date },
): Promise<EarlierRun | undefined> {
  const { rows } = await sql<EarlierRun>`
    select ${earlierRun} from job_runs as runs join jobs on jobs.id = runs.job_id
    where ${comparable({ ...place, pull_request_id, branch })}
      and runs.branch = ${branch}
      and runs.pull_request_id is not distinct from ${pull_request_id}::bigint
      and runs.state <> 'passed' and runs.cause = ${cause} and runs.ended_at > ${after}
    order by runs.ended_at
    limit 1
  `.execute(db)
  return rows[0]
}

/** The last attempt before one that ended by itself, if it failed. */
export async function failedAttemptBefore(
  db: Database,
  { job_id, attempt }: Pick<JobRun, 'job_id' | 'attempt'>,
): Promise<EarlierRun | undefined> {
  const { rows } = await sql<EarlierRun>`
    with last as (
      select * from job_runs where job_id = ${job_id} and attempt < ${attempt} and by_itself
      order by attempt desc limit 1
    )
    select ${earlierRun} from last as runs join jobs on jobs.id = runs.job_id
    where runs.state <> 'passed'
  `.execute(db)
  return rows[0]
}

/** The known facts about a finished run, and about the job of the history. */
export type KnownRun = Pick<
  JobRun,
  | 'job_id'
  | 'attempt'
  | 'repository_id'
  | 'job_key'
  | 'branch'
  | 'pull_request_id'
  | 'state'
  | 'failure'
  | 'cause'
  | 'outside'
  | 'ended_at'
> & { definition: string; runner: string }

/** The runs of these jobs in their current attempts, or of one job in the given attempt. */
export function knownRuns(
  db: Database,
  jobIds: readonly number[],
  attempt?: number,
): Promise<KnownRun[]> {
  if (jobIds.length === 0) return Promise.resolve([])
  const ofJobs = db
    .selectFrom('job_runs')
    .innerJoin('jobs', 'jobs.id', 'job_runs.job_id')
    .where('jobs.id', 'in', jobIds)
  const ofAttempt =
    attempt === undefined
      ? ofJobs
          .whereRef('job_runs.attempt', '=', 'jobs.attempt')
          // A job that waits for its next attempt still has the number of the last one.
          .where('jobs.state', 'in', ['passed', 'failed', 'errored'])
      : ofJobs.where('job_runs.attempt', '=', attempt)
  return ofAttempt
    .select(['job_runs.job_id', 'job_runs.attempt', 'job_runs.repository_id', 'job_runs.job_key'])
    .select(['job_runs.branch', 'job_runs.pull_request_id', 'job_runs.state'])
    .select(['job_runs.failure', 'job_runs.cause', 'job_runs.outside'])
    .select(['job_runs.ended_at', sql<string>`job_runs.inputs ->> 'runner'`.as('runner')])
    .select(sql<string>`job_runs.inputs ->> 'definition'`.as('definition'))
    .execute()
}

/** The number of runs of a job that are read to judge whether it is flaky. */
const mostRuns = 1000

/**
 * The runs of a job with the same definition whose results are its own, newest first: of its pull request, and of
 * branches. Those of other pull requests never count: a fork could make a job look flaky.
 */
export async function historyOfJob(
  db: Database,
  run: KnownRun,
  since: Date,
): Promise<HistoryRun[]> {
  const { rows } = await sql<HistoryRun>`
    select runs.job_id, jobs.number, runs.attempt, runs.sha, runs.state, runs.cause, runs.ended_at,
      concat(runs.pull_request_id, ' ', runs.branch) as place,
      md5(runs.inputs::text) as inputs, runs.inputs ->> 'runner' as runner
    from job_runs as runs join jobs on jobs.id = runs.job_id
    where runs.repository_id = ${run.repository_id} and runs.job_key = ${run.job_key}
      and runs.inputs ->> 'definition' = ${run.definition}
      and (runs.pull_request_id is null or runs.pull_request_id = ${run.pull_request_id}::bigint)
      and runs.by_itself and runs.ended_at > ${since}
      and ${isShownWithJob(run.job_id)}
    order by runs.ended_at desc
    limit ${mostRuns}
  `.execute(db)
  return rows
}

/** The number of failures whose machines are examined. */
const mostFailures = 50

/**
 * For each of these failures, the failures of jobs of the run's repository within ten minutes on
 * the same machine that another run with the same commit and inputs did not have, on any machine.
 * Failures of forks never count: anyone who sends a pull request could make real failures look like
 * an outage.
 */
export async function recoveredAround(
  db: Database,
  run: Pick<KnownRun, 'job_id' | 'repository_id'>,
  failures: readonly Pick<HistoryRun, 'runner' | 'ended_at'>[],
): Promise<Recovered[][]> {
  if (failures.length === 0) return []
  const read = failures.slice(0, mostFailures)
  const { rows } = await sql<Recovered & { position: number }>`
    select around.position::int as position, failed.job_id, failed.attempt, failed.ended_at,
      failed.job_key as job
    from unnest(${read.map(({ runner }) => runner)}::text[],
        ${read.map(({ ended_at }) => ended_at.toISOString())}::timestamptz[])
      with ordinality as around (runner, ended_at, position)
    join job_runs as failed
      on failed.ended_at between around.ended_at - interval '10 minutes'
        and around.ended_at + interval '10 minutes'
      and failed.inputs ->> 'runner' = around.runner
    join jobs on jobs.id = failed.job_id
    where failed.repository_id = ${run.repository_id} and failed.state = 'failed'
      and failed.by_itself
      and ${isShownWithJob(run.job_id)}
      and not exists (
        select from builds join requests on requests.id = builds.request_id
        where builds.id = jobs.build_id and requests.from_fork)
      and exists (
        select from job_runs as passed
        where passed.repository_id = failed.repository_id and passed.job_key = failed.job_key
          and passed.state = 'passed' and passed.by_itself
          and passed.sha = failed.sha and passed.branch = failed.branch
          and passed.pull_request_id is not distinct from failed.pull_request_id
          -- Another machine has other versions.
          and (passed.inputs = failed.inputs
            or passed.inputs ->> 'runner' <> failed.inputs ->> 'runner'
              and passed.inputs - ${machineInputs}::text[] = failed.inputs - ${machineInputs}::text[]))
  `.execute(db)
  return read.map((_, index) => rows.filter(({ position }) => position === index + 1))
}

/** The inputs of a run that its machine determines. */
const machineInputs: readonly (keyof RunInputs)[] = ['runner', 'versions']
