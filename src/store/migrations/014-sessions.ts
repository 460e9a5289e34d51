import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Sessions of browsers, which are tokens for the pages alone, and what a begun login leads to. */
export const sessions: Migration = {
  name: '014-sessions',

  async up(db) {
    await sql`alter table tokens drop constraint tokens_purpose_check`.execute(db)
    await sql`
      alter table tokens add constraint tokens_purpose_check
        check (purpose in ('api', 'feed', 'log', 'session'))
    `.execute(db)
    await sql`
      alter table login_states add column way text not null default 'session'
        check (way in ('form', 'message', 'session'))
    `.execute(db)
  },
}
