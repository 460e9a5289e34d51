import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What waits for the code host, and since when. */
export const codehostWaits: Migration = {
  name: '006-codehost-waits',

  async up(db) {
    await sql`alter table requests add column retry_at timestamptz`.execute(db)
    await sql`alter table outbox add column refused_at timestamptz`.execute(db)
  },
}
