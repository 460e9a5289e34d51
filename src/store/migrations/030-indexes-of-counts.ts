import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Rows of two filtered lists can be counted without being read. */
export const indexesOfCounts: Migration = {
  name: '030-indexes-of-counts',

  async up(db) {
    await sql`
      create index on builds (repository_id, state, number desc) include (branch_id)
    `.execute(db)
    await sql`drop index builds_repository_id_state_number_idx`.execute(db)
    await sql`
      create index on repositories (owner_id, owner_type, id)
        include (private, deleted_at, invalidated_at)
    `.execute(db)
    await sql`drop index repositories_owner_id_owner_type_id_idx`.execute(db)
  },
}
