import { sql } from 'kysely'
import { isStorable } from '../../domain/text/storable-text.ts'

/**
 * Condition that a column has one of these values, which are written into the statement: in a prepared
 * statement, the planner does not know the parameters, and takes no partial index for such values. Only
 * for values from the program.
 */
export function isOneOf(column: string, values: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}

/** The right side of a comparison with any of these texts: `column = ${anyOf(texts)}`. */
export function anyOf(texts: readonly string[]) {
  // No row contains the other texts, and PostgreSQL rejects them.
  return sql`any(${texts.filter(isStorable)}::text[])`
}
