import { sql, type Updateable } from 'kysely'
import { type Job, type JobState, running, unfinished } from '../../domain/job/job.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { IdPage } from '../sql/all-ids.ts'
import { runPreparedFirst, prepared } from '../sql/prepared-statements.ts'
import { type Database, json, type Tables } from '../tables.ts'
import { jobColumns } from './job-columns.ts'
import { insertVersions } from './job-versions.ts'

/** The values that all jobs of a new build share. */
export type NewJobs = Pick<
  Job,
  | 'repository_id'
  | 'build_id'
  | 'commit_id'
  | 'owner_id'
  | 'owner_type'
  | 'private'
  | 'state'
  | 'started_at'
  | 'finished_at'
  | 'created_at'
>

/** The values of each job. */
export type NewJob = Pick<
  Job,
  | 'number'
  | 'stage_id'
  | 'stage_number'
  | 'name'
  | 'config'
  | 'allow_failure'
  | 'origin'
  | 'os'
  | 'arch'
  | 'queue'
>

// One value for all rows: sending thousands of parameters takes longer than writing the rows. Values
// read as `jsonb` with the whole list keep its memory to the last row; `json` is converted to `jsonb`
// row by row.
const insertedJobs = prepared<{ first: number }>(`
    with inserted as (
      insert into jobs (repository_id, build_id, commit_id, owner_id, owner_type, private,
        state, started_at, finished_at, created_at, updated_at,
        number, stage_id, stage_number, name, config, allow_failure, origin, os, arch, queue)
      select repository_id, build_id, commit_id, owner_id, owner_type, private,
        state, started_at, finished_at, created_at, created_at,
        number, stage_id, stage_number, name, config, allow_failure, origin::jsonb, os, arch, queue
      from jsonb_to_record($1::jsonb) as common (repository_id bigint,
        build_id bigint, commit_id bigint, owner_id bigint, owner_type text, private boolean, state text, started_at timestamptz, finished_at timestamptz,
        created_at timestamptz),
      rows from (
        json_to_recordset($2::json) as (number text, stage_id bigint,
          stage_number text, name text, config json, allow_failure boolean, origin json,
          os text, arch text, queue text)
      ) with ordinality
      order by ordinality
      returning id
    ), logged as (
      insert into logs (id) select id from inserted
    )
    select min(id) as first from inserted
  `)

/** Stores new jobs, each with an empty log; returns the id of the first. */
export async function insertJobs(
  db: Database,
  common: NewJobs,
  jobs: readonly NewJob[],
): Promise<number> {
  const [row] = await insertedJobs(db, json(common), json(jobs))
  return row?.first ?? 0
}

export function findJob(db: Database, id: number): Promise<Job | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

export function jobsOfBuild(db: Database, buildId: number): Promise<Job[]> {
  return db.selectFrom('jobs').selectAll().where('build_id', '=', buildId).orderBy('id').execute()
}

/** The jobs of a build with the number of their stage, which is null without stages. */
export function stagedJobsOfBuild(
  db: Database,
  buildId: number,
): Promise<(Job & { stage: number | null })[]> {
  return db
    .selectFrom('jobs')
    .leftJoin('stages', 'stages.id', 'jobs.stage_id')
    .selectAll('jobs')
    .select('stages.number as stage')
    .where('jobs.build_id', '=', buildId)
    .orderBy('jobs.id')
    .execute()
}

/**
 * Changes the state of a job, unless it has meanwhile left the states in `from`. The condition is part
 * of the update, so of two callers only one gets the job. With `attempt`, the job must still be in that
 * attempt (ST-09).
 */
export function moveJob(
  db: Database,
  { id, attempt }: { id: number; attempt?: number },
  from: readonly JobState[],
  changes: Updateable<Tables['jobs']>,
): Promise<Job | undefined> {
  const moved = db
    .updateTable('jobs')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', from)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt ?? 0))
    .returningAll()
  return runPreparedFirst(db, moved)
}

/** Claims a queued job for a run on this runner, with a lease. */
export function receiveJob(
  db: Database,
  id: number,
  runner_id: string,
  { unmet, found_machine }: Pick<Job, 'unmet' | 'found_machine'>,
): Promise<Job | undefined> {
  const received = db
    .with('received', (query) =>
      query
        .updateTable('jobs')
        .set({
          state: 'received',
          received_at: databaseNow,
          checks: json([]),
          unmet,
          found_machine,
          updated_at: sql`now()`,
        })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .returning(jobColumns),
    )
    .with('leased', (query) =>
      query
        .insertInto('leases')
        .columns(['job_id', 'attempt', 'runner_id', 'claimed_at', 'renewed_at'])
        .expression((from) =>
          from
            .selectFrom('received')
            .select([
              'id',
              'attempt',
              sql`${runner_id}::text`.as('runner'),
              databaseNow.as('claimed'),
              databaseNow.as('renewed'),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .column('job_id')
            .doUpdateSet((eb) => ({
              attempt: eb.ref('excluded.attempt'),
              runner_id: eb.ref('excluded.runner_id'),
              claimed_at: eb.ref('excluded.claimed_at'),
              renewed_at: eb.ref('excluded.renewed_at'),
            })),
        ),
    )
    .selectFrom('received')
    .select(jobColumns)
  return runPreparedFirst(db, received)
}

/** The job of this run if it is still claimed, and the seconds since its first lost attempt. */
export function runningJob(
  db: Database,
  { job_id, attempt }: { job_id: number; attempt: number },
): Promise<(Job & { unlucky_seconds: number | null }) | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .select(
      sql<number | null>`extract(epoch from now() - unlucky_since)::float8`.as('unlucky_seconds'),
    )
    .where('id', '=', job_id)
    .where('attempt', '=', attempt)
    .where('state', 'in', running)
    .forUpdate()
    .executeTakeFirst()
}

interface StoredLoss {
  /** Seconds until the next try. */
  seconds: number
  /** Whether the loss counts against the job. */
  blamed: boolean
  /** Whether the loss affects the job's next tries: false if its runner was just stopped. */
  counts: boolean
  reason: string
}

/**
 * Makes a claimed job wait for its next attempt: immediately, or after the pause that a loss requires.
 * The lost attempt is kept.
 */
export async function releaseJob(
  db: Database,
  id: number,
  { seconds, blamed, counts, reason }: StoredLoss,
): Promise<void> {
  await insertVersions(db, [id], reason)
  await db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'created',
      attempt: eb('attempt', '+', 1),
      queued_at: null,
      received_at: null,
      started_at: null,
      unmet: null,
      found_machine: null,
      updated_at: databaseNow,
    }))
    .$if(counts, (query) =>
      query.set((eb) => ({
        resets: eb('resets', '+', blamed ? 1 : 0),
        retries: eb('retries', '+', 1),
        retry_at: secondsAgo(-seconds),
        retry_reason: reason,
        unlucky_since: sql<Date>`coalesce(unlucky_since, now())`,
      })),
    )
    .where('id', '=', id)
    .execute()
}

/** The jobs of these repositories that are in one of the states. */
export async function jobsInState(
  db: Database,
  repositoryIds: readonly number[],
  states: readonly JobState[],
): Promise<number[]> {
  if (repositoryIds.length === 0) return []
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('repository_id', 'in', repositoryIds)
    .where('state', 'in', states)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A page of the jobs enqueued at least `seconds` ago that no runner has claimed, in order of their ids. */
export async function unclaimedJobs(
  db: Database,
  seconds: number,
  { after, most }: IdPage,
): Promise<number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'queued')
    .where('queued_at', '<=', secondsAgo(seconds))
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many jobs are in each unfinished state, and how long the oldest queued one has been queued. */
export async function unfinishedJobs(
  db: Database,
): Promise<{ counts: ReadonlyMap<string, number>; oldest_seconds: number }> {
  const { rows } = await sql<{ state: string; count: number; seconds: number | null }>`
    select state, count(*)::int as count,
      extract(epoch from now() - min(queued_at) filter (where state = 'queued'))::float8 as seconds
    from jobs where state = any(${[...unfinished]}::text[]) group by state
  `.execute(db)
  return {
    counts: new Map(rows.map(({ state, count }) => [state, count])),
    oldest_seconds: Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)),
  }
}
