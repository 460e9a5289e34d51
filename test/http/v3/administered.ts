import { createServer } from '../../../src/http/server.ts'
import type { Database } from '../../../src/store/tables.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'

/** What administrators of the installation can do with each of its records. */
export const administering = { '@permissions': { read: true, write: true } }

/** Calls an installation that the user `root` administers, and the one of this machine; with its context. */
export async function administered(db: Database) {
  const ctx = testContext(db)
  const site = { ...ctx.site, admins: ['local:local', 'codehost:root'] }
  return { ctx, call: v3Client(await createServer({ ...ctx, site })) }
}
