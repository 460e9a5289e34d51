import { sql } from 'kysely'
import type { Job } from '../../domain/job/job.ts'
import type { Request } from '../../domain/request/request.ts'
import { insertVersions } from '../jobs/job-versions.ts'
import type { NewJob, NewJobs } from '../jobs/jobs.ts'
import { databaseNow } from '../sql/age.ts'
import { privateByNow } from '../sql/visibility.ts'
import { type Database, json } from '../tables.ts'

type Restart = Pick<Job, 'restarted_at' | 'restarted_by_id'>

/**
 * Makes these finished jobs wait for another run. Their next attempt begins with an empty log, so that
 * late reports change nothing.
 */
export async function restartJobs(
  db: Database,
  ids: readonly number[],
  { restarted_at, restarted_by_id }: Restart,
): Promise<void> {
  await insertVersions(db, ids)
  await db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'created',
      attempt: eb('attempt', '+', 1),
      queued_at: null,
      received_at: null,
      started_at: null,
      finished_at: null,
      canceled_at: null,
      canceled_by_stage: false,
      canceled_by_id: null,
      cancel_reason: null,
      found_version: null,
      image: null,
      unmet: null,
      unmet_since: null,
      found_machine: null,
      reason: null,
      private: privateByNow('jobs'),
      checks: json([]),
      resets: 0,
      retries: 0,
      retry_at: null,
      retry_reason: null,
      unlucky_since: null,
      restarted_at,
      restarted_by_id,
      updated_at: databaseNow,
    }))
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  await db
    .updateTable('logs')
    .set({ removed_at: null, removed_by_id: null })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** Overwrites the config of a job with that of the newly read build file, while no runner has the job. */
export async function replaceJob(
  db: Database,
  id: number,
  {
    config,
    origin,
    ...job
  }: NewJob &
    Pick<NewJobs, 'state' | 'started_at' | 'finished_at' | 'commit_id' | 'owner_id' | 'owner_type'>,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ ...job, config: json(config), origin: json(origin), updated_at: databaseNow })
    .where('id', '=', id)
    .execute()
}

/** Reopens a decided request, to be decided again from the beginning; undefined if it is undecided. */
export async function reopenRequest(
  db: Database,
  id: number,
): Promise<Pick<Request, 'id'> | undefined> {
  const reopened = await db
    .updateTable('requests')
    .set({
      state: 'created',
      result: null,
      reason: null,
      message: null,
      checks: json([]),
      retry_at: null,
      waits: 0,
      finished_at: null,
      updated_at: databaseNow,
    })
    .where('id', '=', id)
    .where('state', '=', 'finished')
    .returning('id')
    .executeTakeFirst()
  if (!reopened) return
  await db.deleteFrom('request_messages').where('request_id', '=', id).execute()
  await db.deleteFrom('request_configs').where('request_id', '=', id).execute()
  return reopened
}
