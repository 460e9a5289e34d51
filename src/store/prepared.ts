import { CompiledQuery } from 'kysely'
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

/** A connection that knows which statements are prepared. */
export class PreparingClient extends pg.Client {
  override query: pg.Client['query'] = (...args: unknown[]) => {
    const [text, values] = args
    const name = typeof text === 'string' ? names.get(text) : undefined
    const given = name === undefined ? args : [{ name, text, values }, ...args.slice(2)]
    return Reflect.apply(super.query, this, given) as never
  }
}

/** The names of all members of a record, in the order in which they are listed. */
export function membersOf<R>(members: Readonly<Record<keyof R & string, true>>) {
  return Object.keys(members) as (keyof R & string)[]
}

/** Columns of a table, with a prefix before the names in the result. */
export function columns(table: string, names: readonly string[], prefix = ''): string {
  return names.map((name) => `${table}."${name}" as "${prefix}${name}"`).join(', ')
}

/** The record whose columns have this prefix in a row. */
export function taken<R>(row: object, names: readonly (keyof R & string)[], prefix = ''): R {
  const record: Record<string, unknown> = {}
  for (const name of names) record[name] = (row as Record<string, unknown>)[prefix + name]
  return record as R
}
