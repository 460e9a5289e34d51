import { sql } from 'kysely'
import { databaseNow } from '../sql/age.ts'
import { type Database, json, type SyncEntry, type SyncPage } from '../tables.ts'

type PageRef = Pick<SyncPage, 'user_id' | 'list' | 'page'>

/** A page as it was last read, and whether that was during the current sync. */
export type KnownPage = Pick<SyncPage, 'etag' | 'entries' | 'more'> & { is_fresh: boolean }

export function findPage(
  db: Database,
  { user_id, list, page }: PageRef,
): Promise<KnownPage | undefined> {
  return db
    .selectFrom('sync_pages')
    .innerJoin('users', 'users.id', 'sync_pages.user_id')
    .select(['etag', 'entries', 'more'])
    .select(sql<boolean>`read_at >= sync_started_at`.as('is_fresh'))
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .where('page', '=', page)
    .executeTakeFirst()
}

export async function putPage(
  db: Database,
  { user_id, list, page, etag, entries, more }: Omit<SyncPage, 'read_at'>,
): Promise<void> {
  const read = { etag, entries: json(entries), more, read_at: databaseNow }
  await db
    .insertInto('sync_pages')
    .values({ user_id, list, page, ...read })
    .onConflict((conflict) => conflict.columns(['user_id', 'list', 'page']).doUpdateSet(read))
    .execute()
}

/** Stores that a page is unchanged. */
export async function renewPage(db: Database, { user_id, list, page }: PageRef): Promise<void> {
  await db
    .updateTable('sync_pages')
    .set({ read_at: databaseNow })
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .where('page', '=', page)
    .execute()
}

/** Deletes the pages after the last page of a list. */
export async function dropPagesAfter(
  db: Database,
  { user_id, list, page }: PageRef,
): Promise<void> {
  await db
    .deleteFrom('sync_pages')
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .where('page', '>', page)
    .execute()
}

/** All entries of a list, in its order. */
export async function entriesOf(db: Database, user_id: number, list: string): Promise<SyncEntry[]> {
  const rows = await db
    .selectFrom('sync_pages')
    .select('entries')
    .where('user_id', '=', user_id)
    .where('list', '=', list)
    .orderBy('page')
    .execute()
  return rows.flatMap(({ entries }) => entries)
}

/** Deletes the lists of a user except these. */
export async function keepLists(
  db: Database,
  user_id: number,
  lists: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('sync_pages')
    .where('user_id', '=', user_id)
    .where('list', '<>', sql<string>`all(${lists}::text[])`)
    .execute()
}

/** The users on whose lists a repository was at the last look-up. */
export async function readersOf(db: Database, repositoryId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sync_pages')
    .select('user_id')
    .distinct()
    .where('list', 'like', 'repositories:%')
    .where(sql<boolean>`entries @> ${json([{ id: repositoryId }])}::jsonb`)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}
