import { sql } from 'kysely'
import type { Job } from '../domain/job/job.ts'
import type { Request } from '../domain/request/request.ts'
import { databaseNow } from './age.ts'
import type { NewJob, NewJobs } from './jobs.ts'
import { type Database, json } from './tables.ts'
import { privateByNow } from './visibility.ts'

type Restart = Pick<Job, 'restarted_at' | 'restarted_by_id'>

/**
 * Has these finished jobs wait for another run. What they were becomes a version, with the log of that
 * attempt; the attempt that follows begins with an empty one, so that what is late changes nothing.
 */
export async function restartJobs(
  db: Database,
  ids: readonly number[],
  { restarted_at, restarted_by_id }: Restart,
): Promise<void> {
  await sql`
    insert into job_versions (job_id, number, state, created_at, queued_at, received_at, started_at,
      finished_at, restarted_at)
    select id, attempt, state, created_at, queued_at, received_at, started_at, finished_at,
      restarted_at
    from jobs where id = any(${ids}::bigint[])
  `.execute(db)
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
      found_version: null,
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

/** Gives a job another part of a build file to run by, while no runner has it. */
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

/** Has a decided request decided anew, from the beginning; undefined if it is undecided. */
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
