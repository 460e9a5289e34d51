import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What came of each webhook, so that it can be listed, and the slugs that repositories had. */
export const deliveriesAndSlugs: Migration = {
  name: '007-deliveries-and-slugs',

  async up(db) {
    await sql`
      alter table deliveries add column result text
        check (result in ('request', 'noted', 'ignored', 'unknown', 'error'))
    `.execute(db)
    await sql`
      update deliveries set result = case
        when exists (select from requests where requests.delivery_id = deliveries.id) then 'request'
        when state = 'failed' and outcome like 'unknown repository %' then 'unknown'
        when state = 'failed' then 'error'
        else 'noted' end
      where state <> 'received'
    `.execute(db)
    await sql`create index on deliveries (received_at)`.execute(db)
    await sql`
      create table former_slugs (
        repository_id bigint not null references repositories on delete cascade,
        provider text not null check (provider in ('codehost', 'local')),
        slug text not null,
        left_at timestamptz not null default now(),
        primary key (repository_id, slug)
      )
    `.execute(db)
    await sql`create index on former_slugs (slug, left_at desc)`.execute(db)
  },
}
