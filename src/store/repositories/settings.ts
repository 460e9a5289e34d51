import { sql } from 'kysely'
import { defaultSettings, type Settings } from '../../domain/settings.ts'
import type { Database } from '../tables.ts'
import { json } from '../tables.ts'

/** The repository's settings, with defaults for settings that were not set. */
export async function settingsOf(db: Database, repositoryId: number): Promise<Settings> {
  const row = await db
    .selectFrom('repository_settings')
    .select('values')
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return { ...defaultSettings, ...row?.values }
}

/** The settings of several repositories, in their order. */
export async function settingsOfRepositories(
  db: Database,
  repositoryIds: readonly number[],
): Promise<Settings[]> {
  const rows = await db
    .selectFrom('repository_settings')
    .selectAll()
    .where('repository_id', '=', sql<number>`any(${repositoryIds}::bigint[])`)
    .execute()
  const known = new Map(rows.map(({ repository_id, values }) => [repository_id, values]))
  return repositoryIds.map((id) => ({ ...defaultSettings, ...known.get(id) }))
}

/** Changes these settings and leaves the others unchanged, also in concurrent calls. Returns all settings. */
export async function changeSettings(
  db: Database,
  repositoryId: number,
  changes: Partial<Settings>,
): Promise<Settings> {
  const { values } = await db
    .insertInto('repository_settings')
    .values({ repository_id: repositoryId, values: json(changes) })
    .onConflict((conflict) =>
      conflict
        .column('repository_id')
        .doUpdateSet({ values: sql`repository_settings.values || excluded.values` }),
    )
    .returning('values')
    .executeTakeFirstOrThrow()
  return { ...defaultSettings, ...values }
}
