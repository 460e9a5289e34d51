import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** The fingerprint of the key that seals the secrets of this database; undefined before its first use. */
export async function knownFingerprint(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('key_fingerprint') is not null as exists
  `.execute(db)
  if (rows[0]?.exists !== true) return
  const row = await db.selectFrom('key_fingerprint').select('fingerprint').executeTakeFirst()
  return row?.fingerprint
}

/** Stores the fingerprint unless one is stored already, and returns the stored fingerprint. */
export async function storeFingerprint(db: Database, fingerprint: string): Promise<string> {
  await db
    .insertInto('key_fingerprint')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await db.selectFrom('key_fingerprint').select('fingerprint').executeTakeFirst()
  return stored?.fingerprint ?? fingerprint
}

/** Binds the database to another key, with which its secrets are already sealed. */
export async function setFingerprint(db: Database, fingerprint: string): Promise<void> {
  await db.updateTable('key_fingerprint').set({ fingerprint }).execute()
}
