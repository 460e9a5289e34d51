import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The commit that a webhook is about, by which people ask why nothing was built. */
export const commitsOfDeliveries: Migration = {
  name: '024-commits-of-deliveries',

  async up(db) {
    await sql`alter table deliveries add column sha text`.execute(db)
    await sql`create index on deliveries (sha text_pattern_ops) where sha is not null`.execute(db)
  },
}
