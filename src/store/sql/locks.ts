import { sql } from 'kysely'
import type { Database } from '../tables.ts'
import { prepared } from './prepared-statements.ts'
import { noWait } from './transaction.ts'

const held = prepared('select pg_advisory_xact_lock(hashtextextended($1, 2))')

const heldLoosely = prepared(`select pg_advisory_xact_lock(hashtextextended($1, 2)), ${noWait}`)

/** Waits for this lock, and holds it for the rest of the transaction. */
export async function holdLock(tx: Database, name: string): Promise<void> {
  await held(tx, name)
}

/** Like `holdLock`, for a transaction that does not wait for the disk, as with `withoutWaiting`. */
export async function holdLockLoosely(tx: Database, name: string): Promise<void> {
  await heldLoosely(tx, name)
}

/**
 * Does some work while no other caller works under this name; returns false immediately if another does.
 * The lock belongs to the connection passed to the work, so a process that dies releases it. If much
 * such work runs at a time, it must use no other connection: when all hold locks, it would wait forever
 * for a free connection. No transaction is open.
 */
export function workAlone(
  db: Database,
  name: string,
  work: (connection: Database) => Promise<void>,
): Promise<boolean> {
  const key = sql`hashtextextended(${name}, 2)`
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(${key}) as locked
    `.execute(connection)
    if (!rows[0]?.locked) return false
    try {
      await work(connection)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}

/** Does some work under this name, after waiting until no other caller does. */
export function workInTurn<T>(db: Database, name: string, work: () => Promise<T>): Promise<T> {
  const key = sql`hashtextextended(${name}, 2)`
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${key})`.execute(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}

interface ClaimedTask {
  /** Whether this process is to run the task now. */
  claimed: boolean
  /** Seconds since the task was claimed before; null for the first time. */
  after: number | null
}

/** Claims a repeated task, unless a process has claimed it within the last `seconds`. */
export async function claimTask(db: Database, name: string, seconds: number): Promise<ClaimedTask> {
  const { rows } = await sql<ClaimedTask>`
    with before as (
      select claimed_at from tasks where name = ${name}
    ), claimed as (
      insert into tasks (name, claimed_at) values (${name}, now())
      on conflict (name) do update set claimed_at = excluded.claimed_at
        where tasks.claimed_at <= now() - make_interval(secs => ${seconds})
      returning name
    )
    select exists (select from claimed) as claimed,
      (select extract(epoch from now() - claimed_at)::float from before) as after
  `.execute(db)
  return rows[0] ?? { claimed: false, after: null }
}
