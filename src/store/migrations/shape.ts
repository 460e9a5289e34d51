import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/**
 * The shape of a schema's tables, as sorted lines by which two databases can be compared: columns in any
 * order, constraints, indexes. Without the record of migrations, and without features that a server may
 * lack.
 */
export async function shapeOf(db: Database, schema: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select oid, relname as name from pg_class
      where relkind = 'r' and relnamespace = ${schema}::regnamespace and relname <> 'migrations'
    ), lines as (
      select name || '.' || attname || ' ' || format_type(atttypid, atttypmod)
        || case when attnotnull then ' not null' else '' end
        || case when attidentity = '' then '' else ' identity' end
        || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as line
      from tables join pg_attribute on attrelid = oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select name || ': ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
      from tables join pg_constraint on conrelid = tables.oid and contype in ('p', 'u', 'f', 'c')
      union all
      select name || ': ' || pg_get_indexdef(indexrelid)
      from tables join pg_index on indrelid = oid
      where pg_get_indexdef(indexrelid) not like '%gin_trgm_ops%'
    )
    select replace(line, ${schema} || '.', '') as line from lines order by 1
  `.execute(db)
  return rows.map(({ line }) => line)
}
