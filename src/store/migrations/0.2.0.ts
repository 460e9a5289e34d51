import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The image of the container that a job ran in. */
export const imagesOfJobs: Migration = {
  name: '0.2.0',

  async up(db) {
    await sql`alter table jobs add column image text`.execute(db)
  },
}
