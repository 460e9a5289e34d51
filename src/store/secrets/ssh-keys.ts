import { type Insertable, sql } from 'kysely'
import type { SshKey } from '../../domain/ssh-key.ts'
import { type Database, omit, type Tables } from '../tables.ts'

export function findSshKey(db: Database, repositoryId: number): Promise<SshKey | undefined> {
  return db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** Stores the key; undefined if the repository has one already. */
export function insertSshKey(
  db: Database,
  key: Insertable<Tables['ssh_keys']>,
): Promise<SshKey | undefined> {
  return db
    .insertInto('ssh_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Changes the key of a repository; undefined members stay unchanged. Undefined if there is no key. */
export function updateSshKey(
  db: Database,
  repositoryId: number,
  changes: { [K in 'description' | 'fingerprint' | 'public_key' | 'sealed_value']?: SshKey[K] },
): Promise<SshKey | undefined> {
  return db
    .updateTable('ssh_keys')
    .set({ ...changes, updated_at: sql`now()` })
    .where('repository_id', '=', repositoryId)
    .returningAll()
    .executeTakeFirst()
}

/** Stores the key, replacing an existing one; the existing description stays if none is given. */
export function putSshKey(db: Database, key: Insertable<Tables['ssh_keys']>): Promise<SshKey> {
  return db
    .insertInto('ssh_keys')
    .values(key)
    .onConflict((conflict) =>
      conflict
        .column('repository_id')
        .doUpdateSet({ ...omit(key, 'repository_id'), updated_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes and returns the key; undefined if there was none. */
export function deleteSshKey(db: Database, repositoryId: number): Promise<SshKey | undefined> {
  return db
    .deleteFrom('ssh_keys')
    .where('repository_id', '=', repositoryId)
    .returningAll()
    .executeTakeFirst()
}
