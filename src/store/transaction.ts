import { type DatabaseConnection, PostgresDialect, PostgresDriver, type QueryResult } from 'kysely'
import type { CompiledQuery, TransactionSettings } from 'kysely'
import type pg from 'pg'
import type { Database } from './tables.ts'

/** The connections of the transactions that are open. */
const connections = new WeakMap<Database, DatabaseConnection>()

/**
 * Does some work in one transaction. Its statements by `prepared` and `often` are sent when they are
 * made, even while earlier ones are under way; the database executes them in this order. So those that do
 * not need each other's rows can go `sideBySide`, and wait only once.
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

/** Of the server, about statements after one that has failed: that they are not executed, or were not prepared. */
const consequences: readonly unknown[] = ['25P02', '26000']
const isConsequence = (reason: unknown) =>
  consequences.includes((reason as { code?: unknown }).code)

/**
 * Waits for parts of the work of one transaction, in place of `Promise.all`: until all of them have ended, even
 * when one fails. What another did after that would be done once the transaction is rolled back, and stay.
 * What the query builder executes itself is sent a moment later, so it is no part that others rely on.
 */
export async function sideBySide<T extends readonly unknown[]>(
  parts: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(parts)
  const reasons = ended.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []))
  if (reasons.length > 0) throw reasons.find((reason) => !isConsequence(reason)) ?? reasons[0]
  return Promise.all(parts)
}

/** Sends a statement, in a transaction without waiting for those before it. */
export function send<Row>(db: Database, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  return connections.get(db)?.executeQuery(query) ?? db.executeQuery(query)
}

/** Transactions whose first statement is sent without waiting for the response to `begin`. */
export function dialectOf(pool: pg.Pool): PostgresDialect {
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => new PromptDriver({ pool })
  return dialect
}

class PromptDriver extends PostgresDriver {
  /** Why transactions did not begin whose connections are still there. */
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

  /** Someone has canceled just the beginning: what was sent with it is done on its own, and said to have failed. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#refused.has(connection)) throw this.#refused.get(connection)
    await super.commitTransaction(connection)
  }
}
