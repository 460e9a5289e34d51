import { sql } from 'kysely'
import { noWait } from './durability.ts'
import { prepared } from './prepared.ts'
import type { Database } from './tables.ts'

const held = prepared('select pg_advisory_xact_lock(hashtextextended($1, 2))')

const heldLoosely = prepared(`select pg_advisory_xact_lock(hashtextextended($1, 2)), ${noWait}`)

/** Waits for this lock, and holds it for the rest of the transaction. */
export async function holdLock(tx: Database, name: string): Promise<void> {
  await held(tx, name)
}

/** The same for a transaction that does not wait for the disk, as `withoutWaiting` has it. */
export async function holdLockLoosely(tx: Database, name: string): Promise<void> {
  await heldLoosely(tx, name)
}

/**
 * Does some work while no one else does work under this name; returns false at once when someone does.
 * The lock belongs to the connection that the work gets, so a process that dies releases it. Where much
 * such work is done at once it must use no other connection: when all hold locks, it would wait forever
 * for a free one. No transaction is open.
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

/** The same once no one else does: it waits for its turn. */
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
