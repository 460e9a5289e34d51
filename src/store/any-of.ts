import { sql } from 'kysely'
import { isStorable } from '../domain/storable-text.ts'

/** What a column is compared with that may be any of these texts: `column = ${anyOf(texts)}`. */
export function anyOf(texts: readonly string[]) {
  // No row has the others, and PostgreSQL rejects them.
  return sql`any(${texts.filter(isStorable)}::text[])`
}
