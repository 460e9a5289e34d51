import { sql } from 'kysely'
import type { JobState } from '../../domain/job/job.ts'
import type { Database } from '../tables.ts'

/** A run of a job: one of its attempts. */
export interface EndedRun {
  job_id: number
  attempt: number
}

export interface MeasuredRun {
  state: JobState
  /** From the time it was queued until a runner started it; null if none did. */
  waited: number | null
  /** Null if it never started. */
  ran: number | null
}

/** How long these runs waited and ran, without runs whose jobs have begun another attempt. */
export async function measuredRuns(
  db: Database,
  runs: readonly EndedRun[],
): Promise<MeasuredRun[]> {
  if (runs.length === 0) return []
  const { rows } = await sql<MeasuredRun>`
    select state,
      extract(epoch from started_at - queued_at)::float8 as waited,
      extract(epoch from finished_at - started_at)::float8 as ran
    from jobs
    join unnest(
      ${runs.map(({ job_id }) => job_id)}::bigint[],
      ${runs.map(({ attempt }) => attempt)}::int[]
    ) as run (id, attempt) on run.id = jobs.id and run.attempt = jobs.attempt
    where finished_at is not null
  `.execute(db)
  return rows
}

/** Bytes of all stored logs: of the table of parts with its indexes, and of compressed objects. */
export async function measuredLogs(db: Database): Promise<{ parts: number; objects: number }> {
  const { rows } = await sql<{ parts: number; objects: number }>`
    select pg_total_relation_size('log_parts')::float8 as parts,
      (select coalesce(sum(object_bytes), 0)::float8 from log_objects) as objects
  `.execute(db)
  return rows[0] ?? { parts: 0, objects: 0 }
}

/** The share, from 0 to 1, of PostgreSQL's queue for notices that is in use. Commits fail once it is full. */
export async function noticeQueueUsage(db: Database): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select pg_notification_queue_usage() as used
  `.execute(db)
  return rows[0]?.used ?? 0
}

export interface Lags {
  /** Since the arrival of the oldest webhook that is not processed. */
  delivery: number
  /**
   * Since the oldest change that is not reported to the code host, except reports that the code
   * host refuses.
   */
  status: number
}

/** Seconds for which the oldest work of both kinds has waited; 0 if none waits. */
export async function measuredLags(db: Database): Promise<Lags> {
  const { rows } = await sql<Lags>`
    select
      coalesce(extract(epoch from now() - (
        select min(received_at) from deliveries where state = 'received'
      )), 0)::float8 as delivery,
      coalesce(extract(epoch from now() - (
        select min(created_at) from outbox where published_at is null and refused_at is null
      )), 0)::float8 as status
  `.execute(db)
  return rows[0] ?? { delivery: 0, status: 0 }
}
