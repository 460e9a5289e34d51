import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What survives a queue server that forgets, and what a machine did to a job and a runner. */
export const faults: Migration = {
  name: '003-faults',

  async up(db) {
    await sql`
      create table tasks (
        name text primary key,
        claimed_at timestamptz not null
      )
    `.execute(db)
    await sql`
      create table installation_syncs (
        codehost_id bigint primary key,
        requested_at timestamptz not null default now()
      )
    `.execute(db)
    await sql`alter table runners add column problem text`.execute(db)
    await sql`
      alter table jobs
        add column retries integer not null default 0,
        add column retry_at timestamptz,
        add column retry_reason text,
        add column unlucky_since timestamptz
    `.execute(db)
  },
}
