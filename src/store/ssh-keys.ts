import { type Insertable, sql } from 'kysely'
import type { SshKey } from '../domain/ssh-key.ts'
import { type Database, omit, type Tables } from './tables.ts'

export function findSshKey(db: Database, repositoryId: number): Promise<SshKey | undefined> {
  return db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** Stores the key, in place of the one that is there; that one's description stays if none is given. */
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

/** The key as it was; undefined when there was none. */
export function deleteSshKey(db: Database, repositoryId: number): Promise<SshKey | undefined> {
  return db
    .deleteFrom('ssh_keys')
    .where('repository_id', '=', repositoryId)
    .returningAll()
    .executeTakeFirst()
}
