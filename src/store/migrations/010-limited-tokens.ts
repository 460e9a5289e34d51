import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Tokens for some repositories only, tokens that belong to a repository, and ends that are fixed. */
export const limitedTokens: Migration = {
  name: '010-limited-tokens',

  async up(db) {
    await sql`
      alter table tokens
        add column repository_id bigint references repositories on delete cascade,
        add column grantee_id bigint references users on delete cascade,
        add column made_by_id bigint references users on delete set null,
        add column ends_at timestamptz
    `.execute(db)
    await sql`create index on tokens (repository_id) where repository_id is not null`.execute(db)
    await sql`create index on tokens (grantee_id) where grantee_id is not null`.execute(db)
    await sql`create index on tokens (made_by_id) where made_by_id is not null`.execute(db)
    await sql`
      create table token_repositories (
        token_id bigint not null references tokens on delete cascade,
        repository_id bigint not null references repositories on delete cascade,
        primary key (token_id, repository_id)
      )
    `.execute(db)
    await sql`create index on token_repositories (repository_id)`.execute(db)
    await sql`create index on audit_records (actor, id desc)`.execute(db)
  },
}
