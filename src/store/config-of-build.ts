import type { Database } from './tables.ts'

/** The configuration that a build was made of: its file with all imports, in normal form. */
export async function configOfBuild(db: Database, id: number): Promise<unknown> {
  const row = await db.selectFrom('builds').select('config').where('id', '=', id).executeTakeFirst()
  return row?.config
}
