import { type RawBuilder, sql } from 'kysely'
import type { RecordRef } from '../../secrets/seal.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Database } from '../tables.ts'

/** A column with secrets, each sealed for the record of its row. */
export interface SealedColumn {
  table: string
  /** The column that identifies the record. */
  id: string
  column: string
  /** Whether the column contains bytes instead of base64. */
  bytes: boolean
  /** The column that is true for sealed rows, if not all rows are sealed. */
  where?: string
  recordOf(id: string): RecordRef
}

/** Every sealed column. The schema's names show which columns are sealed, and a test compares this list. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'deliveries',
    id: 'guid',
    column: 'body',
    bytes: true,
    where: 'sealed',
    recordOf: sealedIn.delivery,
  },
  text('body_hash_key', 'singleton', 'sealed_key', sealedIn.bodyHashKey),
  text('codehost_tokens', 'user_id', 'sealed_token', (id) => sealedIn.codehostToken(Number(id))),
  text('codehost_tokens', 'user_id', 'sealed_refresh_token', (id) =>
    sealedIn.codehostToken(Number(id)),
  ),
  text('env_vars', 'id', 'sealed_value', sealedIn.envVar),
  text('idempotent_calls', 'digest', 'sealed_call', sealedIn.idempotentCall),
  text('key_pairs', 'repository_id', 'sealed_private_key', (id) => sealedIn.keyPair(Number(id))),
  text('notifications', 'guid', 'sealed_content', sealedIn.notification),
  text('registered_apps', 'app_id', 'sealed_credentials', sealedIn.registeredApp),
  text('signing_key', 'singleton', 'sealed_private_key', sealedIn.signingKey),
  text('ssh_keys', 'repository_id', 'sealed_value', (id) => sealedIn.sshKey(Number(id))),
]

function text(
  table: string,
  id: string,
  column: string,
  recordOf: SealedColumn['recordOf'],
): SealedColumn {
  return { table, id, column, bytes: false, recordOf }
}

export interface SealedRow {
  id: string
  sealed: Buffer
}

/** Some rows that were sealed with another key than this one, in the order of their ids. */
export async function sealedWithAnother(
  db: Database,
  column: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const { table, id } = column
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(id)}::text as id, ${bytesOf(column)} as sealed from ${sql.table(table)}
    where ${isSealed(column)}
      and encode(substring(${bytesOf(column)} from 1 for 4), 'hex') <> ${keyId}
      and ${sql.ref(id)}::text > ${after}
    order by ${sql.ref(id)}::text
    limit ${limit}
  `.execute(db)
  return rows
}

/** How many values of a column were sealed with each key. */
export async function countByKey(
  db: Database,
  column: SealedColumn,
): Promise<{ keyId: string; count: number }[]> {
  const { rows } = await sql<{ keyId: string; count: number }>`
    select encode(substring(${bytesOf(column)} from 1 for 4), 'hex') as "keyId",
      count(*)::int as count
    from ${sql.table(column.table)} where ${isSealed(column)} group by 1
  `.execute(db)
  return rows
}

/** Replaces the sealed value of a row, unless it was changed meanwhile. */
export async function replaceSealed(
  db: Database,
  column: SealedColumn,
  { id, sealed }: SealedRow,
  fresh: Buffer,
): Promise<boolean> {
  const name = sql.ref(column.column)
  const stored = column.bytes ? sql`${fresh}::bytea` : sql`${fresh.toString('base64')}`
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${name} = ${stored}
    where ${sql.ref(column.id)}::text = ${id} and ${bytesOf(column)} = ${sealed}::bytea
  `.execute(db)
  return numAffectedRows > 0n
}

function isSealed({ column, where }: SealedColumn): RawBuilder<boolean> {
  const condition = where === undefined ? sql`true` : sql.ref(where)
  return sql<boolean>`${sql.ref(column)} is not null and ${condition}`
}

function bytesOf({ column, bytes }: SealedColumn): RawBuilder<Buffer> {
  return bytes ? sql`${sql.ref(column)}` : sql`decode(${sql.ref(column)}, 'base64')`
}
