import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What a token was made with, so that it is revoked with that one. */
export const linkedTokens: Migration = {
  name: '023-linked-tokens',

  async up(db) {
    await sql`alter table tokens add column parent_id bigint references tokens`.execute(db)
    await sql`create index on tokens (parent_id) where parent_id is not null`.execute(db)
    await sql`create index on tokens (expires_at)`.execute(db)
  },
}
