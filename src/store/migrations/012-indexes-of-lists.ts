import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Indexes for lists of few rows of a large table: those of a state, a queue, a branch or an owner. */
export const indexesOfLists: Migration = {
  name: '012-indexes-of-lists',

  async up(db) {
    await sql`create index on jobs (state, id desc)`.execute(db)
    await sql`create index on jobs (queue, id desc)`.execute(db)
    await sql`create index on builds (repository_id, state, number desc)`.execute(db)
    await sql`create index on builds (branch_id, number desc)`.execute(db)
    await sql`
      create index on repositories
        (owner_name, last_build_started_at desc nulls last, id desc)
    `.execute(db)
  },
}
