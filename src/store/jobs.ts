import { type Insertable, sql, type Updateable } from 'kysely'
import type { Check } from '../domain/check.ts'
import { type Job, type JobState, running, unfinished } from '../domain/job.ts'
import type { OwnerRef } from '../domain/owner.ts'
import type { Schedulable } from '../domain/scheduling.ts'
import { databaseNow, secondsAgo } from './age.ts'
import { batchesOf } from './batches.ts'
import { type Database, json, type Tables } from './tables.ts'

export async function insertJobs(
  db: Database,
  jobs: readonly Insertable<Tables['jobs']>[],
): Promise<Job[]> {
  const rows: Job[] = []
  for (const batch of batchesOf(jobs)) {
    rows.push(...(await db.insertInto('jobs').values(batch).returningAll().execute()))
  }
  return rows.toSorted((a, b) => a.id - b.id)
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
 * Changes the state of a job, unless it has meanwhile left the states in `from`. The condition is
 * part of the update, so of two callers only one gets the job. With an attempt, the job
 * must still be in that one (ST-09).
 */
export function moveJob(
  db: Database,
  { id, attempt }: { id: number; attempt?: number },
  from: readonly JobState[],
  changes: Updateable<Tables['jobs']>,
): Promise<Job | undefined> {
  return db
    .updateTable('jobs')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', from)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt ?? 0))
    .returningAll()
    .executeTakeFirst()
}

/** Queues a waiting job for a runner; undefined when it no longer waits. */
export function queueJob(db: Database, id: number): Promise<Job | undefined> {
  return db
    .updateTable('jobs')
    .set({ state: 'queued', queued_at: databaseNow, checks: json([]), updated_at: databaseNow })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .returningAll()
    .executeTakeFirst()
}

/** Claims a queued job for a run, which is its next attempt. */
export function receiveJob(db: Database, id: number): Promise<Job | undefined> {
  return db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'received',
      attempt: eb('attempt', '+', 1),
      received_at: databaseNow,
      checks: json([]),
      updated_at: sql`now()`,
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
}

/** The job of this run, while it is claimed, and for how long its runs have been lost. */
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
  /** Until the next try. */
  seconds: number
  /** Whether it counts against the job. */
  blamed: boolean
  reason: string
}

/** Has a claimed job wait for its next attempt: at once, or after the pause that a loss asks for. */
export async function releaseJob(db: Database, id: number, loss?: StoredLoss): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      state: 'created',
      queued_at: null,
      received_at: null,
      started_at: null,
      updated_at: databaseNow,
    })
    .$if(loss !== undefined, (query) =>
      query.set((eb) => ({
        resets: eb('resets', '+', loss?.blamed ? 1 : 0),
        retries: eb('retries', '+', 1),
        retry_at: secondsAgo(-(loss?.seconds ?? 0)),
        retry_reason: loss?.reason ?? null,
        unlucky_since: sql<Date>`coalesce(unlucky_since, now())`,
      })),
    )
    .where('id', '=', id)
    .execute()
}

/** Every job of the owner's builds that have a job in an open state, in order of their ids. */
export function schedulableJobs(db: Database, owner: OwnerRef): Promise<Schedulable[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .leftJoin('stages', 'stages.id', 'jobs.stage_id')
    .select([
      'jobs.id',
      'jobs.build_id',
      'jobs.repository_id',
      'repositories.provider',
      'jobs.state',
      'jobs.allow_failure',
      'stages.number as stage',
      'stages.name as stage_name',
      'builds.waits_for_approval',
      sql<string | null>`case when retry_at > now() then retry_reason end`.as('retry_reason'),
    ])
    .where('jobs.owner_id', '=', owner.owner_id)
    .where('jobs.owner_type', '=', owner.owner_type)
    .where('jobs.state', 'in', unfinished)
    .orderBy('jobs.id')
    .execute()
}

export async function setChecks(db: Database, id: number, checks: readonly Check[]): Promise<void> {
  const text = json(checks)
  await db
    .updateTable('jobs')
    .set({ checks: text })
    .where('id', '=', id)
    .where(sql<boolean>`checks is distinct from ${text}::jsonb`)
    .execute()
}

/** The owners that have a waiting job. */
export function ownersWithWaitingJobs(db: Database): Promise<OwnerRef[]> {
  return db
    .selectFrom('jobs')
    .select(['owner_id', 'owner_type'])
    .distinct()
    .where('state', '=', 'created')
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

/** Jobs that were enqueued so many seconds ago and that no runner has claimed, oldest first. */
export async function unclaimedJobs(db: Database, seconds: number): Promise<number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'queued')
    .where('queued_at', '<=', secondsAgo(seconds))
    .orderBy('id')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}
