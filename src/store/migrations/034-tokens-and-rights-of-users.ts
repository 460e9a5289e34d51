import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What is known of the code host's tokens of users, and of when it was asked for their rights. */
export const tokensAndRightsOfUsers: Migration = {
  name: '034-tokens-and-rights-of-users',

  async up(db) {
    await sql`alter table codehost_tokens add column issued_at timestamptz`.execute(db)
    await sql`alter table users add column codehost_refused_at timestamptz`.execute(db)
    await sql`
      alter table permissions
        add column asked_at timestamptz,
        add column asked_etag text
    `.execute(db)
    // Full pages were taken for the last ones, so they have to be read again.
    await sql`
      update sync_pages set etag = null where list in ('emails', 'memberships') and not more
    `.execute(db)
  },
}
