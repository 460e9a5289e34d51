import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** A build whose request was decided anew, and rejected, in private had stayed public. */
export const buildsOfHiddenRequests: Migration = {
  name: '027-builds-of-hidden-requests',

  async up(db) {
    await sql`
      update builds set private = true from requests
      where requests.id = builds.request_id and requests.private and not builds.private
    `.execute(db)
  },
}
