import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Indexes for every order and filter that lists of a repository, or of a user's repositories, have. */
export const ordersAndFiltersOfLists: Migration = {
  name: '022-orders-and-filters-of-lists',

  async up(db) {
    await sql`create index on builds (repository_id, id)`.execute(db)
    await sql`create index on builds (repository_id, created_at)`.execute(db)
    await sql`create index on builds (repository_id, started_at)`.execute(db)
    await sql`create index on builds (repository_id, finished_at)`.execute(db)
    await sql`create index on builds (repository_id, previous_state, number desc)`.execute(db)
    await sql`create index on builds (repository_id, sender_id, number desc)`.execute(db)
    await sql`create index on jobs (repository_id, state, id desc)`.execute(db)
    await sql`create index on requests (repository_id, created_at)`.execute(db)
    await sql`create index on requests (repository_id, result, id desc)`.execute(db)
    await sql`create index on requests (commit_id)`.execute(db)
    await sql`create index on commits (repository_id, branch)`.execute(db)
  },
}
