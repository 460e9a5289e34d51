import { sql } from 'kysely'
import { type Job, unfinished } from '../../domain/job/job.ts'
import type { Schedulable } from '../../domain/job/scheduling.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Check } from '../../domain/request/check.ts'
import { databaseNow } from '../sql/age.ts'
import { isOneOf } from '../sql/literals.ts'
import { runPrepared, runPreparedOne } from '../sql/prepared-statements.ts'
import { type Database, json } from '../tables.ts'

// Every caller that locks several jobs locks them in the order of their ids: otherwise scheduling one
// owner's jobs and canceling a build's jobs would wait for each other.

/** A job that may be scheduled, with its repository's limit of running jobs; null for no limit. */
type LimitedJob = Schedulable & { limit: number | null }

/** Every job of the owner's builds that have a job in an open state, in order of their ids. */
export async function schedulableJobs(db: Database, owner: OwnerRef): Promise<LimitedJob[]> {
  const schedulable = db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .leftJoin('stages', 'stages.id', 'jobs.stage_id')
    .leftJoin('repository_settings', 'repository_settings.repository_id', 'jobs.repository_id')
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
      'builds.without_approval',
      'jobs.os',
      'jobs.arch',
      'jobs.queue',
      sql<string | null>`case when retry_at > now() then retry_reason end`.as('retry_reason'),
      sql<number | null>`extract(epoch from now() - unmet_since)::float8`.as('unmet_seconds'),
      sql<number | null>`(repository_settings.values->>'maximum_number_of_builds')::int`.as(
        'limit',
      ),
    ])
    .where('jobs.owner_id', '=', owner.owner_id)
    .where('jobs.owner_type', '=', owner.owner_type)
    .where(isOneOf('jobs.state', unfinished))
    // For builds with an error, the build file is fetched again.
    .where('builds.config_error', 'is', null)
  // One value for all rows, which costs this process less than a row for each.
  const { jobs } = await runPreparedOne(
    db,
    db
      .selectFrom(schedulable.as('job'))
      .select(sql<LimitedJob[]>`coalesce(json_agg(job order by id), '[]')`.as('jobs')),
  )
  return jobs
}

/** Stores why jobs wait, if it changed and they still wait, and since when they wait for a machine. */
export async function setChecks(
  db: Database,
  waiting: readonly { id: number; checks: readonly Check[] }[],
): Promise<void> {
  if (waiting.length === 0) return
  const ids = waiting.map(({ id }) => id)
  const texts = waiting.map(({ checks }) => JSON.stringify(checks))
  await sql`
    with changed as (
      select jobs.id, given.checks::jsonb as checks
      from jobs join unnest(${ids}::bigint[], ${texts}::text[]) as given (id, checks)
        on given.id = jobs.id
      where jobs.state in ('created', 'queued') and jobs.checks is distinct from given.checks::jsonb
      order by jobs.id
      for no key update of jobs
    )
    update jobs set checks = changed.checks,
      unmet_since = case when changed.checks @> '[{"rule": "machine", "passed": false}]'
        then coalesce(jobs.unmet_since, now()) end
    from changed where jobs.id = changed.id
  `.execute(db)
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

/** Queues waiting jobs for runners. Returns the ids of the jobs that were waiting, in the order given. */
export async function queueJobs(db: Database, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const queue = db
    .with('locked', (query) =>
      query
        .selectFrom('jobs')
        .select('id')
        .where('id', '=', sql<number>`any(${ids}::bigint[])`)
        .where('state', '=', 'created')
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('jobs')
    .from('locked')
    .set({
      state: 'queued',
      queued_at: databaseNow,
      checks: json([]),
      unmet_since: null,
      updated_at: databaseNow,
    })
    .whereRef('jobs.id', '=', 'locked.id')
    .returning('jobs.id')
  const queued = new Set((await runPrepared(db, queue)).map(({ id }) => id))
  return ids.filter((id) => queued.has(id))
}

/**
 * Locks the unfinished jobs of a build for the rest of the transaction, and returns them; to be called
 * before several of them are changed.
 */
export function lockOpenJobs(db: Database, buildId: number): Promise<Pick<Job, 'id' | 'state'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('build_id', '=', buildId)
    .where('state', 'in', unfinished)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
