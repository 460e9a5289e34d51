import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Builds are listed by who triggered them. */
export const buildsOfSenders: Migration = {
  name: '012-builds-of-senders',

  async up(db) {
    await sql`
      create index on builds (sender_id, id desc) where sender_id is not null
    `.execute(db)
  },
}
