import { sql } from 'kysely'
import type { BuildState } from '../../domain/build.ts'
import type { JobState } from '../../domain/job/job.ts'
import { prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** The channel of PostgreSQL on which notices are sent. Migration 0.2.0 names it as well. */
export const noticeChannel = 'live'

/**
 * Messages that processes send each other when a change is committed. A notice names records by
 * their ids without their data, can be lost with a connection, and is never stored.
 */
export type Notice =
  /** Parts of a log were stored, with all numbers from `from` to `to`. */
  | PartsNotice
  /** Jobs entered a state: their ids, attempts, states and repositories. */
  | { kind: 'jobs'; jobs: [id: number, attempt: number, state: JobState, repository_id: number][] }
  | { kind: 'build'; id: number; state: BuildState; repository_id: number }
  /** A user may have lost access to records. */
  | { kind: 'rights' }
  /** The channels that were signed for a connection of this viewer. */
  | ({ kind: 'viewer'; socket_id: string } & SocketViewer)
  /** A client follows the log of a job. */
  | { kind: 'watched'; job_id: number }
  /** A piece of a message that another program publishes. */
  | { kind: 'piece'; message: string; number: number; of: number; text: string }
  /** Sent by a listener to itself. */
  | { kind: 'beat'; listener: string; number: number }

export interface PartsNotice {
  kind: 'parts'
  job_id: number
  attempt: number
  from: number
  to: number
  final: boolean
}

/** The viewer for whom channels were signed; anyone if there is no user. */
export interface SocketViewer {
  user_id: number | null
  token_id: number | null
  /** Whether public records are hidden from the viewer as well. */
  closed: boolean
}

/** A notice about these parts as a value, for the statement that stores them. */
export function noticeOfParts(
  run: { job_id: number; attempt: number },
  parts: readonly { number: number; final: boolean }[],
): string {
  const numbers = parts.map(({ number }) => number)
  const notice: PartsNotice = {
    kind: 'parts',
    job_id: run.job_id,
    attempt: run.attempt,
    from: Math.min(...numbers),
    to: Math.max(...numbers),
    final: parts.some(({ final }) => final),
  }
  return JSON.stringify(notice)
}

const sent = prepared(`select pg_notify('${noticeChannel}', $1::text)`)

export async function sendNotice(db: Database, notice: Notice): Promise<void> {
  await sent(db, JSON.stringify(notice))
}

/** Sends notices that belong together in one transaction, so that they arrive in this order. */
export async function sendNotices(db: Database, notices: readonly Notice[]): Promise<void> {
  const texts = notices.map((notice) => JSON.stringify(notice))
  await sql`
    select pg_notify(${noticeChannel}, text)
    from unnest(${texts}::text[]) with ordinality as notice (text, place) order by place
  `.execute(db)
}
