import type { Database, RegisteredApp } from './tables.ts'

/** The app that was registered from here at this code host. */
export function findRegisteredApp(
  db: Database,
  codehost_url: string,
): Promise<RegisteredApp | undefined> {
  return db
    .selectFrom('registered_apps')
    .selectAll()
    .where('codehost_url', '=', codehost_url)
    .executeTakeFirst()
}

/** False where there is one at this code host already. */
export async function insertRegisteredApp(
  db: Database,
  app: Omit<RegisteredApp, 'created_at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('registered_apps')
    .values(app)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
