import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Bodies of webhooks may be packed, which costs less than to have the server do it for each of them. */
export const packedBodies: Migration = {
  name: '029-packed-bodies',

  async up(db) {
    await sql`alter table deliveries add column packed boolean not null default false`.execute(db)
    // One that waits is not in it, so that taking it in does not write there.
    await sql`drop index deliveries_processed_at_idx`.execute(db)
    await sql`
      create index deliveries_processed_at_idx on deliveries (processed_at)
        where body is not null and processed_at is not null
    `.execute(db)
  },
}
