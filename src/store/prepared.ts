import type { Socket } from 'node:net'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'
import { send } from './transaction.ts'

/** The numbers of prepared statements, by their texts. */
const numbers = new Map<string, number>()

/** A few texts have as many forms as there are rows to write; each connection keeps no more than so many. */
const mostPrepared = 400

function prepare(text: string): void {
  if (!numbers.has(text) && numbers.size < mostPrepared) numbers.set(text, numbers.size + 1)
}

/**
 * A statement whose text is always the same, for what is read with nearly every call: each connection
 * has it parsed and planned once.
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
 * The same for a statement of the query builder, for what a push or a call waits for. Its text depends
 * on little but what is written where it is built. Not for pages of lists: how many rows a value finds
 * decides about their plans.
 */
export async function often<Row>(db: Database, query: Built<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  prepare(compiled.sql)
  return (await send(db, compiled)).rows
}

/** The same where one row is expected at most. */
export async function oftenFirst<Row>(db: Database, query: Built<Row>): Promise<Row | undefined> {
  return (await often(db, query))[0]
}

/** The same for what always returns a row. */
export async function oftenOne<Row>(db: Database, query: Built<Row>): Promise<Row> {
  const row = await oftenFirst(db, query)
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

/**
 * Counts the migrations that other processes have made under the feet of this one. Statements that
 * return all columns of a table fail on it once, and have other names from then on.
 */
let generation = 0

const nameOf = (number: number) => `prepared_${number}_${generation}`

/** Whether a prepared statement would return other columns now than when it was prepared. */
export function isOutdatedPlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    (error as NodeJS.ErrnoException).code === '0A000' && error.message.startsWith('cached plan')
  )
}

/** A connection that knows which statements are prepared. */
export class PreparingClient extends pg.Client {
  #isGathering = false

  /** What is sent in one go of the event loop is written at once. */
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
    // Without a callback the package makes a promise that keeps all results until the next full
    // collection of garbage, which is rare: a service that reads much would be twice as large.
    return new Promise((resolve, reject) => {
      const before = generation
      ask((error: Error | null, result: unknown) => {
        if (!error) return resolve(result)
        if (!isOutdatedPlan(error)) return reject(error)
        if (generation === before) generation += 1
        // A transaction has failed with it, and is for its caller to repeat.
        if (this.getTransactionStatus() !== 'I') return reject(error)
        ask((still: Error | null, found: unknown) => (still ? reject(still) : resolve(found)))
      })
    }) as never
  }
}

/**
 * A list in a prepared statement. The planner does not see how long it is: otherwise it would take a
 * plan for just this length to be better, and plan every call anew.
 */
export function listed(
  parameter: string,
  type: `${'bigint' | 'boolean' | 'int' | 'text'}[]`,
): string {
  return `(select ${parameter}::${type})::${type}`
}
