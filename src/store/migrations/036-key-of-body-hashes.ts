import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What bodies of webhooks are hashed with; it stays the same when the master key is changed. */
export const keyOfBodyHashes: Migration = {
  name: '036-key-of-body-hashes',

  async up(db) {
    await sql`
      create table body_hash_key (
        singleton boolean primary key default true check (singleton),
        sealed_key text not null
      )
    `.execute(db)
  },
}
