import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Of jobs in open states, the indexes of 012 list those of a state and of a queue as well. */
export const fewerIndexesOfJobs: Migration = {
  name: '037-fewer-indexes-of-jobs',

  async up(db) {
    for (const name of ['jobs_state_id_idx', 'jobs_queue_id_idx'].map((text) => sql.id(text))) {
      await sql`drop index if exists ${name}`.execute(db)
    }
  },
}
