import { type Insertable, sql, type Updateable } from 'kysely'
import { type Database, type Installation, json, omit, type Tables } from '../tables.ts'

/** The installation, even if it was removed. */
export function findInstallation(
  db: Database,
  ref: { id: number } | { codehost_id: number },
): Promise<Installation | undefined> {
  const query = db.selectFrom('installations').selectAll()
  const matching =
    'id' in ref ? query.where('id', '=', ref.id) : query.where('codehost_id', '=', ref.codehost_id)
  return matching.executeTakeFirst()
}

/** The owner's installation, unless it was removed. */
export function findInstallationOf(
  db: Database,
  { owner_id, owner_type }: Pick<Installation, 'owner_id' | 'owner_type'>,
): Promise<Installation | undefined> {
  return db
    .selectFrom('installations')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('owner_type', '=', owner_type)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Creates the installation, or updates the existing one, which is no longer removed. */
export function putInstallation(
  db: Database,
  installation: Pick<
    Installation,
    'codehost_id' | 'owner_id' | 'owner_type' | 'repository_selection' | 'permissions' | 'events'
  > &
    Pick<Insertable<Tables['installations']>, 'suspended_at' | 'added_by_id'>,
): Promise<Installation> {
  const { permissions, events, added_by_id = null, ...rest } = installation
  const row = { ...rest, permissions: json(permissions), events: json(events) }
  return db
    .insertInto('installations')
    .values({ ...row, added_by_id })
    .onConflict((conflict) =>
      conflict
        .column('codehost_id')
        .doUpdateSet({ ...omit(row, 'codehost_id'), removed_at: null, updated_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateInstallation(
  db: Database,
  id: number,
  changes: Pick<
    Updateable<Tables['installations']>,
    'removed_at' | 'removed_by_id' | 'suspended_at'
  >,
): Promise<void> {
  await db
    .updateTable('installations')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** The code host's ids of the installations that are not known to be removed. */
export async function presentInstallations(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('installations')
    .select('codehost_id')
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ codehost_id }) => codehost_id)
}

/** Active repositories of the code host that no installation covers. */
export function activeWithoutInstallation(
  db: Database,
): Promise<Pick<Tables['repositories'], 'owner_name' | 'name'>[]> {
  return db
    .selectFrom('repositories')
    .leftJoin('installations', 'installations.id', 'repositories.installation_id')
    .select(['repositories.owner_name', 'repositories.name'])
    .where('repositories.provider', '=', 'codehost')
    .where('repositories.active', '=', true)
    .where((eb) =>
      eb.or([eb('installations.id', 'is', null), eb('installations.removed_at', 'is not', null)]),
    )
    .orderBy('repositories.owner_name')
    .orderBy('repositories.name')
    .execute()
}
