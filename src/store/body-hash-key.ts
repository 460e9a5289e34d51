import { sql } from 'kysely'
import type { Database } from './tables.ts'

interface BodyHashKey {
  sealed_key: string
}

export function findBodyHashKey(db: Database): Promise<BodyHashKey | undefined> {
  return db.selectFrom('body_hash_key').select('sealed_key').executeTakeFirst()
}

/** Stores a key, unless there is one by now; returns the one that is there. */
export function insertBodyHashKey(db: Database, key: BodyHashKey): Promise<BodyHashKey> {
  return (
    db
      .insertInto('body_hash_key')
      .values(key)
      // What is updated with itself is returned.
      .onConflict((conflict) =>
        conflict
          .column('singleton')
          .doUpdateSet({ sealed_key: sql.ref<string>('body_hash_key.sealed_key') }),
      )
      .returning('sealed_key')
      .executeTakeFirstOrThrow()
  )
}
