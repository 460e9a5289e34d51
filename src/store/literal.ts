import { sql } from 'kysely'

/**
 * That a column has one of these values, which are written into the statement: where it is prepared, the
 * planner does not know its parameters, and takes no index that is of rows with such values alone. For
 * values of the program only.
 */
export function isOneOf(column: string, values: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}
