import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * What people ask for when they request a build, when crons are planned, and the public part of custom
 * SSH keys, which keys that were stored before do not have.
 */
export const requestsAndCrons: Migration = {
  name: '011-requests-and-crons',

  async up(db) {
    await sql`alter table ssh_keys add column public_key text`.execute(db)
    await sql`alter table requests add column commit_message text`.execute(db)
    await sql`
      create index on requests (repository_id, created_at) where event_type = 'api'
    `.execute(db)
    await sql`
      alter table crons
        add column start_at text check (start_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
        add column timezone text not null default 'UTC',
        add column planned_at timestamptz not null default now()
    `.execute(db)
  },
}
