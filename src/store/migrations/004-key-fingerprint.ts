import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Which master key the secrets of this database are sealed with. */
export const keyFingerprint: Migration = {
  name: '004-key-fingerprint',

  async up(db) {
    await sql`
      create table key_fingerprint (
        singleton boolean primary key default true check (singleton),
        fingerprint text not null
      )
    `.execute(db)
  },
}
