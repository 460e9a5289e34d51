import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** A build whose imports cannot be used ends at once as well (CF-46). */
export const importErrors: Migration = {
  name: '002-import-errors',

  async up(db) {
    await sql`
      alter table builds
        drop constraint builds_config_error_check,
        add constraint builds_config_error_check
          check (config_error in ('parse', 'import', 'fetch', 'too_many_jobs'))
    `.execute(db)
  },
}
