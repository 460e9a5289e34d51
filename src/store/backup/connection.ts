import { Kysely } from 'kysely'
import type pg from 'pg'
import { dialectOf } from '../sql/transaction.ts'
import type { Database, Tables } from '../tables.ts'

/** Values have the same text for any server and user, and statements never time out. */
const settings = `
  set datestyle = 'ISO';
  set intervalstyle = 'postgres';
  set extra_float_digits = 1;
  set bytea_output = 'hex';
  set client_encoding = 'UTF8';
  set timezone = 'UTC';
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0
`

/**
 * Wraps a connection that copies tables as a database: all statements go through this connection, within
 * its open transaction.
 */
export async function copyingDatabase(client: pg.Client): Promise<Database> {
  await client.query(settings)
  const held = { query: client.query.bind(client), release() {} }
  const pool = { connect: async () => held, end: async () => {} }
  return new Kysely<Tables>({ dialect: dialectOf(pool as unknown as pg.Pool) })
}
