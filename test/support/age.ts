import { sql } from 'kysely'
import type { Database } from '../../src/store/tables.ts'

/** Makes all rows older, as if so many seconds had passed since they were written. */
export async function age(db: Database, seconds: number): Promise<void> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select quote_ident(table_name) as name, array_agg(quote_ident(column_name)::text) as columns
    from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone'
      and table_name <> 'migrations'
    group by table_name
  `.execute(db)
  for (const { name, columns } of rows) {
    const changes = columns.map((column) => `${column} = ${column} - interval '${seconds} s'`)
    await sql.raw(`update ${name} set ${changes.join(', ')}`).execute(db)
  }
}
