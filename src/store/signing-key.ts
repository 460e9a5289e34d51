import { sql } from 'kysely'
import type { Database } from './tables.ts'

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

/** Stores the key, unless there is one by now; returns the one that is there. */
export function insertSigningKey(db: Database, key: SigningKey): Promise<SigningKey> {
  return (
    db
      .insertInto('signing_key')
      .values(key)
      // What is updated with itself is returned.
      .onConflict((conflict) =>
        conflict
          .column('singleton')
          .doUpdateSet({ public_key: sql.ref<string>('signing_key.public_key') }),
      )
      .returning(['public_key', 'sealed_private_key'])
      .executeTakeFirstOrThrow()
  )
}
