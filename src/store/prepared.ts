import { type Compilable, CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

/** The names of prepared statements, by their texts. */
const names = new Map<string, string>()

/**
 * A statement whose text is always the same, for what is read with nearly every call: each connection
 * has it parsed and planned once. It names its columns, since a star would fail after a migration.
 */
export function prepared<Row>(text: string) {
  names.set(text, `prepared_${names.size + 1}`)
  return async (db: Database, ...values: unknown[]): Promise<readonly Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

/**
 * The same for a statement of the query builder. Its text depends on nothing but what is written where
 * it is built: no condition comes and goes with the values.
 */
export function often<Q extends Compilable>(query: Q): Q {
  const text = query.compile().sql
  if (!names.has(text)) names.set(text, `prepared_${names.size + 1}`)
  return query
}

/** A connection that knows which statements are prepared. */
export class PreparingClient extends pg.Client {
  override query: pg.Client['query'] = (...args: unknown[]) => {
    const [text, values] = args
    const name = typeof text === 'string' ? names.get(text) : undefined
    const given = name === undefined ? args : [{ name, text, values }, ...args.slice(2)]
    if (typeof text !== 'string' || typeof args.at(-1) === 'function') {
      return Reflect.apply(super.query, this, given) as never
    }
    // Without a callback the package makes a promise that keeps all results until the next full
    // collection of garbage, which is rare: a service that reads much would be twice as large.
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: unknown) =>
        error ? reject(error) : resolve(result)
      Reflect.apply(super.query, this, [...given, settle])
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
