import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The id of the master key that a login has begun with, which can be another one where it ends. */
export const keysOfLogins: Migration = {
  name: '033-keys-of-logins',

  async up(db) {
    await sql`alter table login_states add column key_id text`.execute(db)
  },
}
