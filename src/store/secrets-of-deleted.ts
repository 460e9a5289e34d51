import { sql } from 'kysely'
import { secondsAgo } from './age.ts'
import type { Database } from './tables.ts'

const tables = ['env_vars', 'key_pairs', 'ssh_keys'] as const

/** Deletes the variables and keys of repositories and organizations that were deleted so many seconds ago. */
export async function dropSecretsOfDeleted(db: Database, seconds: number): Promise<void> {
  for (const table of tables) {
    await sql`
      delete from ${sql.table(table)} using repositories
      where repositories.id = repository_id and repositories.deleted_at < ${secondsAgo(seconds)}
    `.execute(db)
  }
  await sql`
    delete from env_vars using organizations
    where owner_type = 'Organization' and organizations.id = owner_id
      and organizations.deleted_at < ${secondsAgo(seconds)}
  `.execute(db)
}
