import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { builds } from '../schema/builds.ts'
import { credentials } from '../schema/credentials.ts'
import { localCodehost } from '../schema/local-codehost.ts'
import { people } from '../schema/people.ts'
import { repositories } from '../schema/repositories.ts'
import { requests } from '../schema/requests.ts'
import { work } from '../schema/work.ts'
import type { Database } from '../tables.ts'
import { adoptDatabase } from './before-0.1.0.ts'

/** The schema of the first release; constraints rule out states that must never occur. */
export const firstRelease: Migration = {
  name: '0.1.0',

  async up(db) {
    await createTables(db)
    await sql.raw(localCodehost).execute(db)
  },

  adopt: (db, done) => adoptDatabase(db, done, { name: '0.1.0', createTables }),
}

async function createTables(db: Database): Promise<void> {
  for (const tables of [people, repositories, requests, builds, credentials, work]) {
    await sql.raw(tables).execute(db)
  }
  await compressWhereItPays(db)
  await indexSearch(db)
}

async function compressWhereItPays(db: Database): Promise<void> {
  const { rows } = await sql<{ lz4: boolean }>`
    select 'lz4' = any (enumvals) as lz4 from pg_settings where name = 'default_toast_compression'
  `.execute(db)
  if (!rows[0]?.lz4) return
  await sql`alter table deliveries alter column body set compression lz4`.execute(db)
  await sql`alter table log_parts alter column content set compression lz4`.execute(db)
}

/** Trigrams speed up the search for part of a slug; on a server without them, the search is slow. */
async function indexSearch(db: Database): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_available_extensions where name = 'pg_trgm'
  `.execute(db)
  if (rows.length === 0) return
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create index repositories_search on repositories
      using gin ((lower(owner_name) || '/' || lower(name)) gin_trgm_ops)
  `.execute(db)
}
