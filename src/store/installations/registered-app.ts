import type { Database, RegisteredApp } from '../tables.ts'

/** The app that this service registered at this code host. */
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

/** False if an app for this code host is already stored. */
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
