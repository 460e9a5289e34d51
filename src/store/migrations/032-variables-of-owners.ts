import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Variables that a user or organization has for all of its repositories. */
export const variablesOfOwners: Migration = {
  name: '032-variables-of-owners',

  async up(db) {
    await sql`
      alter table env_vars
        alter column repository_id drop not null,
        add column owner_type text,
        add column owner_id bigint,
        add check ((owner_type is null) = (owner_id is null)),
        add check ((repository_id is null) <> (owner_id is null))
    `.execute(db)
    await sql`
      create index on env_vars (owner_type, owner_id, created_at) where owner_id is not null
    `.execute(db)
  },
}
