import { type Insertable, sql } from 'kysely'
import type { Commit } from '../domain/commit.ts'
import { storableText } from '../domain/storable-text.ts'
import type { Database, Tables } from './tables.ts'

export function insertCommit(db: Database, commit: Insertable<Tables['commits']>): Promise<Commit> {
  return db
    .insertInto('commits')
    .values({ ...commit, message: storableText(commit.message) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findCommit(db: Database, id: number): Promise<Commit | undefined> {
  return db.selectFrom('commits').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the merge of a pull request into another branch is this commit. */
export async function isMergeIntoAnother(
  db: Database,
  { repository_id, ref, sha, branch }: Pick<Commit, 'repository_id' | 'ref' | 'sha' | 'branch'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('commits')
    .select('id')
    .where('repository_id', '=', repository_id)
    .where('sha', '=', sha)
    .where('ref', '=', ref)
    .where('branch', '<>', branch)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function commitsByIds(db: Database, ids: readonly number[]): Promise<Commit[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('commits')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .execute()
}
