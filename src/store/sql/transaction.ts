import {
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type CompiledQuery,
  type TransactionSettings,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { Database } from '../tables.ts'

/** The connections of the transactions that are open. */
const connections = new WeakMap<Database, DatabaseConnection>()

/**
 * Does some work in one transaction. Its statements by `prepared` and `runPrepared` are sent when they
 * are made, even while earlier statements are running; the database executes them in this order. So
 * statements that do not need each other's rows can go `sideBySide`, and wait only once.
 */
export function inTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
    try {
      return await work(tx)
    } finally {
      connections.delete(tx)
    }
  })
}

/** Server codes for a transaction undone because of others: serialization failure and deadlock. */
const undone: readonly unknown[] = ['40001', '40P01']

const mostRepeats = 3

/** Repeats work with its own transaction up to three times, if the server undid it because of others. */
export async function unlessUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work()
    } catch (error) {
      if (repeats === mostRepeats || !undone.includes((error as { code?: unknown }).code))
        throw error
    }
  }
}

/** Server codes for statements after a failed one: not executed, or not prepared. */
const consequences: readonly unknown[] = ['25P02', '26000']
const isConsequence = (reason: unknown) =>
  consequences.includes((reason as { code?: unknown }).code)

/**
 * Waits for parts of the work of one transaction, instead of `Promise.all`: until all parts have ended,
 * even if one fails. Otherwise work of another part would run after the rollback, and stay. Statements
 * that the query builder executes itself are sent a moment later, so other parts must not rely on them.
 */
export async function sideBySide<T extends readonly unknown[]>(
  parts: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(parts)
  const reasons = ended.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []))
  if (reasons.length > 0) throw reasons.find((reason) => !isConsequence(reason)) ?? reasons[0]
  return Promise.all(parts)
}

/** Sends a statement; in a transaction, without waiting for earlier statements. */
export function send<Row>(db: Database, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  return connections.get(db)?.executeQuery(query) ?? db.executeQuery(query)
}

/** A dialect whose transactions send their first statement without waiting for the response to `begin`. */
export function dialectOf(pool: pg.Pool): PostgresDialect {
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => new PromptDriver({ pool })
  return dialect
}

class PromptDriver extends PostgresDriver {
  /** Why transactions did not begin, for connections that still exist. */
  readonly #refused = new WeakMap<DatabaseConnection, unknown>()

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    this.#refused.delete(connection)
    super.beginTransaction(connection, settings).catch((error: unknown) => {
      this.#refused.set(connection, error)
    })
  }

  /** If only `begin` was canceled, statements sent with it ran on their own, but are reported as failed. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#refused.has(connection)) throw this.#refused.get(connection)
    await super.commitTransaction(connection)
  }
}

/** The setting as an expression, for statements that are written as text. */
export const noWait = `set_config('synchronous_commit', 'off', true)`

/**
 * Makes the transaction of a statement not wait for the disk: for changes that the sweep can repeat from
 * their source, if the server crashes (`docs/decisions/028`). Always true, so that it can be one of the
 * conditions of a statement.
 */
export const withoutWaiting = sql<boolean>`${sql.raw(noWait)} = 'off'`
