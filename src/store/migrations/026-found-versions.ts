import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** With which version of its language a job ran where the one asked for was not there (D42). */
export const foundVersions: Migration = {
  name: '026-found-versions',

  async up(db) {
    await sql`alter table jobs add column found_version text`.execute(db)
  },
}
