import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** A table and its columns, by their names in SQL, quoted where necessary. */
export interface OwnTable {
  name: string
  columns: readonly string[]
}

interface ListedTable extends OwnTable {
  /** The other tables that its foreign keys refer to. */
  references: readonly string[]
}

/** The schema in which migrations create tables, under any name, and the schema of the local code host. */
const schemas = sql`(to_regnamespace(quote_ident(current_schema())), to_regnamespace('local_codehost'))`

/** All tables except the queue's and the extensions', each after the tables that it refers to. */
export async function ownTables(db: Database): Promise<OwnTable[]> {
  const { rows } = await sql<ListedTable>`
    select c.oid::regclass::text as name,
      array(
        select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns,
      array(
        select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as references
    from pg_class c
    where c.relkind = 'r' and c.relnamespace in ${schemas} and not exists (
      select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
    order by 1
  `.execute(db)
  return inOrder(rows)
}

function inOrder(tables: readonly ListedTable[]): OwnTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: OwnTable[] = []
  while (left.size > 0) {
    const rest = [...left.values()]
    const ready = rest.filter(({ references }) => !references.some((to) => left.has(to)))
    // Only tables that do not belong to the service refer to each other, and these are not
    // restored.
    for (const { name, columns } of ready.length > 0 ? ready : rest) {
      ordered.push({ name, columns })
      left.delete(name)
    }
  }
  return ordered
}

/** The last value of each sequence that was used, by its name. */
export async function ownSequences(db: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; last: string | null }>`
    select oid::regclass::text as name, pg_sequence_last_value(oid)::text as last
    from pg_class where relkind = 'S' and relnamespace in ${schemas} order by 1
  `.execute(db)
  return Object.fromEntries(
    rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last] as const])),
  )
}

/** Whether the database contains no data of a service, and nothing else where its tables would be. */
export async function isEmpty(db: Database): Promise<boolean> {
  const others = await sql`
    select where to_regnamespace('local_codehost') is not null or to_regnamespace('bullmq') is not null
  `.execute(db)
  return others.rows.length === 0 && (await ownTables(db)).length === 0
}
