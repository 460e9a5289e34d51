import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** By what a body is recognized that is sent again under another number, and where a branch was at a late push. */
export const repeatedAndLatePushes: Migration = {
  name: '035-repeated-and-late-pushes',

  async up(db) {
    await sql`alter table deliveries add column body_hash text`.execute(db)
    await sql`
      create index on deliveries (body_hash, id) where body_hash is not null
    `.execute(db)
    await sql`alter table requests add column overtaken_by text`.execute(db)
    await sql`
      create index on requests (repository_id, ref, id desc) where event_type = 'push'
    `.execute(db)
  },
}
