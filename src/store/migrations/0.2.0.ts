import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The image of the container that a job ran in, and builds that are not kept for ever. */
export const imagesAndRetention: Migration = {
  name: '0.2.0',

  async up(db) {
    await sql`alter table jobs add column image text`.execute(db)
    // Foreign keys look for what still names a deleted commit or text.
    await sql`create index jobs_commit_id_idx on jobs (commit_id)`.execute(db)
    await sql`
      create index request_configs_raw_config_id_idx on request_configs (raw_config_id)
    `.execute(db)
    // What links to builds that are kept no longer can still be told.
    await sql`
      create table deleted_builds (
        id bigint primary key,
        repository_id bigint not null references repositories on delete cascade,
        number integer not null,
        private boolean not null,
        job_ids bigint[] not null,
        deleted_at timestamptz not null default now()
      )
    `.execute(db)
    await sql`
      create index deleted_builds_job_ids_idx on deleted_builds using gin (job_ids)
    `.execute(db)
  },
}
