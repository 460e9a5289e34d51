import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The tags that were last seen of each repository. */
export const seenTags: Migration = {
  name: '040-seen-tags',

  async up(db) {
    await sql`
      create table seen_tags (
        repository_id bigint primary key references repositories on delete cascade,
        pushed_at timestamptz,
        tags jsonb not null,
        since timestamptz
      )
    `.execute(db)
  },
}
