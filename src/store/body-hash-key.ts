import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Sealer } from '../secrets/seal.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import type { Database } from './tables.ts'

/** What bodies of webhooks are hashed with: made when it is first asked for, and the same in all processes. */
export async function bodyHashKey(db: Database, sealer: Sealer): Promise<string> {
  const known = await db.selectFrom('body_hash_key').select('sealed_key').executeTakeFirst()
  const { sealed_key } = known ?? (await insertKey(db, sealer))
  return sealer.openText(sealedIn.bodyHashKey(), sealed_key)
}

/** Stores a key, unless there is one by now; returns the one that is there. */
function insertKey(db: Database, sealer: Sealer): Promise<{ sealed_key: string }> {
  const key = randomBytes(32).toString('base64url')
  return (
    db
      .insertInto('body_hash_key')
      .values({ sealed_key: sealer.sealText(sealedIn.bodyHashKey(), key) })
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
