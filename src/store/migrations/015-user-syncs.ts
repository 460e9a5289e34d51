import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Pages of what a user sees at the code host, as they were read last: what has not changed is not sent
 * again, and a sync that is interrupted goes on where it was. And users who are to be looked up once
 * more when the sync that is under way has ended.
 */
export const userSyncs: Migration = {
  name: '015-user-syncs',

  async up(db) {
    await sql`
      create table sync_pages (
        user_id bigint not null references users on delete cascade,
        list text not null,
        page integer not null,
        etag text,
        entries jsonb not null default '[]',
        more boolean not null,
        read_at timestamptz not null default now(),
        primary key (user_id, list, page)
      )
    `.execute(db)
    await sql`
      create table wanted_syncs (
        user_id bigint primary key references users on delete cascade,
        requested_at timestamptz not null default now()
      )
    `.execute(db)
  },
}
