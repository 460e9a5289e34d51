import { sql } from 'kysely'
import { refOf } from '../../domain/event.ts'
import { type Database, json, type SeenTagsRow } from '../tables.ts'

export type SeenTags = Omit<SeenTagsRow, 'repository_id'>

/** Undefined for a repository whose tags have never been looked at. */
export function findSeenTags(db: Database, repository_id: number): Promise<SeenTags | undefined> {
  return db
    .selectFrom('seen_tags')
    .select(['pushed_at', 'tags', 'since'])
    .where('repository_id', '=', repository_id)
    .executeTakeFirst()
}

export async function putSeenTags(
  db: Database,
  repository_id: number,
  { tags, ...times }: SeenTags,
): Promise<void> {
  const seen = { ...times, tags: json(tags) }
  await db
    .insertInto('seen_tags')
    .values({ repository_id, ...seen })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(seen))
    .execute()
}

/** Deletes all seen tags: the next look at the tags of each repository counts as the first. */
export async function forgetSeenTags(db: Database): Promise<void> {
  await db.deleteFrom('seen_tags').execute()
}

/** The tags among these that are known to be gone. */
export async function deletedTags(
  db: Database,
  repository_id: number,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('tags')
    .select('name')
    .where('repository_id', '=', repository_id)
    .where('exists_on_codehost', '=', false)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Marks all tags as gone except these, and tags created or pushed after `at`; returns which. */
export async function markOtherTagsGone(
  db: Database,
  repository_id: number,
  names: readonly string[],
  at: Date,
): Promise<string[]> {
  const gone = await db
    .updateTable('tags')
    .set({ exists_on_codehost: false })
    .where('repository_id', '=', repository_id)
    .where('exists_on_codehost', '=', true)
    .where('created_at', '<=', at)
    .where(sql<boolean>`name <> all(${names}::text[])`)
    .where(
      sql<boolean>`not exists (
        select from requests where requests.repository_id = tags.repository_id
          and ref = ${refOf('tag', '')} || tags.name and requests.created_at > ${at})`,
    )
    .returning('name')
    .execute()
  return gone.map(({ name }) => name)
}
