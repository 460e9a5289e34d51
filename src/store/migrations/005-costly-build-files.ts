import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** So does one whose build file takes too much time or memory to read. */
export const costlyBuildFiles: Migration = {
  name: '005-costly-build-files',

  async up(db) {
    await sql`
      alter table builds
        drop constraint builds_config_error_check,
        add constraint builds_config_error_check
          check (config_error in ('parse', 'import', 'fetch', 'too_many_jobs', 'too_costly'))
    `.execute(db)
  },
}
