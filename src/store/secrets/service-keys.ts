import { sql } from 'kysely'
import type { Database } from '../tables.ts'

export interface SigningKey {
  public_key: string
  sealed_private_key: string
}

export function findSigningKey(db: Database): Promise<SigningKey | undefined> {
  return db
    .selectFrom('signing_key')
    .select(['public_key', 'sealed_private_key'])
    .executeTakeFirst()
}

/** Stores the key, unless a key is already stored; returns the stored key. */
export function insertSigningKey(db: Database, key: SigningKey): Promise<SigningKey> {
  return (
    db
      .insertInto('signing_key')
      .values(key)
      // A row that is updated to itself is returned.
      .onConflict((conflict) =>
        conflict
          .column('singleton')
          .doUpdateSet({ public_key: sql.ref<string>('signing_key.public_key') }),
      )
      .returning(['public_key', 'sealed_private_key'])
      .executeTakeFirstOrThrow()
  )
}

interface BodyHashKey {
  sealed_key: string
}

export function findBodyHashKey(db: Database): Promise<BodyHashKey | undefined> {
  return db.selectFrom('body_hash_key').select('sealed_key').executeTakeFirst()
}

/** Stores a key, unless a key is already stored; returns the stored key. */
export function insertBodyHashKey(db: Database, key: BodyHashKey): Promise<BodyHashKey> {
  return (
    db
      .insertInto('body_hash_key')
      .values(key)
      // A row that is updated to itself is returned.
      .onConflict((conflict) =>
        conflict
          .column('singleton')
          .doUpdateSet({ sealed_key: sql.ref<string>('body_hash_key.sealed_key') }),
      )
      .returning('sealed_key')
      .executeTakeFirstOrThrow()
  )
}
