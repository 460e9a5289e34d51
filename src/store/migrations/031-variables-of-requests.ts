import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Variables that a request by API adds to those of its build file, in their order. */
export const variablesOfRequests: Migration = {
  name: '031-variables-of-requests',

  async up(db) {
    await sql`alter table requests add column variables json`.execute(db)
  },
}
