import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The end of a token that its maker was told of; use may put the end off, and it is told of anew. */
export const noticesOfEnds: Migration = {
  name: '025-notices-of-ends',

  async up(db) {
    await sql`alter table tokens add column noticed_end timestamptz`.execute(db)
  },
}
