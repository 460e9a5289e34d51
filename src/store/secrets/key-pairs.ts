import { type Insertable, sql } from 'kysely'
import { type Database, type KeyPair, omit, type Tables } from '../tables.ts'

/** The visible part of a repository's key pair. */
export type PublicKey = Pick<KeyPair, 'public_key' | 'fingerprint'>

type Row = Insertable<Tables['key_pairs']>

export function findPublicKey(db: Database, repositoryId: number): Promise<PublicKey | undefined> {
  return db
    .selectFrom('key_pairs')
    .select(['public_key', 'fingerprint'])
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** The public key of a repository, which no other transaction changes until this one ends. */
export function lockPublicKey(db: Database, repositoryId: number): Promise<PublicKey | undefined> {
  return db
    .selectFrom('key_pairs')
    .select(['public_key', 'fingerprint'])
    .where('repository_id', '=', repositoryId)
    .forUpdate()
    .executeTakeFirst()
}

/** The sealed private key of a repository. */
export async function findPrivateKey(
  db: Database,
  repositoryId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('key_pairs')
    .select('sealed_private_key')
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return row?.sealed_private_key
}

/** Stores the key pair of a repository, unless it already has one; returns the stored pair's public key. */
export function insertKeyPair(db: Database, pair: Row): Promise<PublicKey> {
  return (
    db
      .insertInto('key_pairs')
      .values(pair)
      // A row that is updated to itself is returned.
      .onConflict((conflict) =>
        conflict
          .column('repository_id')
          .doUpdateSet({ fingerprint: sql.ref<string>('key_pairs.fingerprint') }),
      )
      .returning(['public_key', 'fingerprint'])
      .executeTakeFirstOrThrow()
  )
}

/** Stores the key pair of a repository, replacing the existing one. */
export async function putKeyPair(db: Database, pair: Row): Promise<void> {
  await db
    .insertInto('key_pairs')
    .values(pair)
    .onConflict((conflict) =>
      conflict
        .column('repository_id')
        .doUpdateSet({ ...omit(pair, 'repository_id'), created_at: sql`now()` }),
    )
    .execute()
}
