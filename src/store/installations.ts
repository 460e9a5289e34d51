import type { Database } from './tables.ts'

/** The number by which the code host knows an installation of the app. */
export async function installationNumber(db: Database, id: number | null): Promise<number | null> {
  if (id === null) return null
  const row = await db
    .selectFrom('installations')
    .select('codehost_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.codehost_id ?? null
}
