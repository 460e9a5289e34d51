import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What was last seen of the code host, to find what did not get here, and the apps that were registered. */
export const catchUpAndApp: Migration = {
  name: '018-catch-up-and-app',

  async up(db) {
    await sql`
      create table sent_webhooks (
        singleton boolean primary key default true check (singleton),
        seen_until timestamptz not null
      )
    `.execute(db)
    await sql`
      create table seen_heads (
        repository_id bigint primary key references repositories on delete cascade,
        pushed_at timestamptz,
        heads jsonb not null
      )
    `.execute(db)
    await sql`
      create table registered_apps (
        codehost_url text primary key,
        app_id text not null,
        html_url text not null,
        sealed_credentials text not null,
        created_at timestamptz not null default now()
      )
    `.execute(db)
  },
}
