import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Variables may use those before them, so configurations keep the order of their keys, as `jsonb` does not. */
export const orderOfConfigs: Migration = {
  name: '028-order-of-configs',

  async up(db) {
    for (const table of ['requests', 'builds', 'jobs'].map(sql.table)) {
      await sql`
        alter table ${table}
          alter column config drop default,
          alter column config type json using config::json
      `.execute(db)
    }
    for (const table of ['builds', 'jobs'].map(sql.table)) {
      await sql`alter table ${table} alter column config set default '{}'`.execute(db)
    }
  },
}
