import type { Socket } from 'node:net'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Database } from '../tables.ts'
import { send } from './transaction.ts'

/** The numbers of prepared statements, by text. */
const numbers = new Map<string, number>()

/** Some texts have a form for each number of rows to write; a connection keeps at most this many. */
const mostPrepared = 400

function prepare(text: string): void {
  if (!numbers.has(text) && numbers.size < mostPrepared) numbers.set(text, numbers.size + 1)
}

/**
 * A statement whose text is always the same, for data that nearly every call reads: each connection
 * parses and plans it once.
 */
export function prepared<Row>(text: string) {
  prepare(text)
  return async (db: Database, ...values: unknown[]): Promise<readonly Row[]> =>
    (await send<Row>(db, CompiledQuery.raw(text, values))).rows
}

/** A statement of the query builder, or one written with its `sql`. */
interface Built<Row> {
  compile(db: Database): CompiledQuery<Row>
}

/**
 * Runs a statement of the query builder as a prepared one, for work that a push or a call waits for. The
 * text must hardly vary beyond the code that builds it. Not for pages of lists: their plans depend on
 * how many rows a value finds.
 */
export async function runPrepared<Row>(db: Database, query: Built<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  prepare(compiled.sql)
  return (await send(db, compiled)).rows
}

/** Like `runPrepared`, for at most one row. */
export async function runPreparedFirst<Row>(
  db: Database,
  query: Built<Row>,
): Promise<Row | undefined> {
  return (await runPrepared(db, query))[0]
}

/** Like `runPrepared`, for a statement that always returns a row. */
export async function runPreparedOne<Row>(db: Database, query: Built<Row>): Promise<Row> {
  const row = await runPreparedFirst(db, query)
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

/**
 * Counts migrations by other processes while this process runs. After a migration, statements that
 * return all columns of a table fail once, and have other names from then on.
 */
let generation = 0

const nameOf = (number: number) => `prepared_${number}_${generation}`

/** Whether a prepared statement would now return other columns than when it was prepared. */
export function isOutdatedPlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    (error as NodeJS.ErrnoException).code === '0A000' && error.message.startsWith('cached plan')
  )
}

/** A connection that knows which statements are prepared. */
export class PreparingClient extends pg.Client {
  #isGathering = false

  /** Writes everything that is sent in one turn of the event loop together. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  override query: pg.Client['query'] = (...args: unknown[]) => {
    const [text, values, ...rest] = args
    const number = typeof text === 'string' ? numbers.get(text) : undefined
    const ask = (...settle: unknown[]) => {
      this.#gather()
      const given = number === undefined ? [text, values] : [{ name: nameOf(number), text, values }]
      return Reflect.apply(super.query, this, [...given, ...settle])
    }
    if (typeof text !== 'string' || typeof args.at(-1) === 'function') return ask(...rest) as never
    // Without a callback, the package makes a promise that keeps all results until the next full garbage
    // collection, which is rare: a service that reads much would need twice the memory.
    return new Promise((resolve, reject) => {
      const before = generation
      ask((error: Error | null, result: unknown) => {
        if (!error) return resolve(result)
        if (!isOutdatedPlan(error)) return reject(error)
        if (generation === before) generation += 1
        // The error has failed the transaction, which its caller must repeat.
        if (this.getTransactionStatus() !== 'I') return reject(error)
        ask((still: Error | null, found: unknown) => (still ? reject(still) : resolve(found)))
      })
    }) as never
  }
}

/**
 * A list in a prepared statement. The planner does not see the length of the list: otherwise it would
 * prefer a plan for just this length, and plan every call again.
 */
export function listed(
  parameter: string,
  type: `${'bigint' | 'boolean' | 'int' | 'text'}[]`,
): string {
  return `(select ${parameter}::${type})::${type}`
}
