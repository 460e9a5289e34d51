import { type Insertable, type QueryCreator, sql } from 'kysely'
import { type Commit, longestMessage } from '../domain/commit.ts'
import { storableText } from '../domain/storable-text.ts'
import { oftenFirst, oftenOne } from './prepared.ts'
import type { Database, Tables } from './tables.ts'

/** Characters of a message that are kept: it is shown with each of its builds and jobs. */

export type NewCommit = Insertable<Tables['commits']>

export function commitInsert(db: QueryCreator<Tables>, commit: NewCommit) {
  return db
    .insertInto('commits')
    .values({ ...commit, message: storableText(commit.message).slice(0, longestMessage) })
    .returningAll()
}

export function insertCommit(db: Database, commit: NewCommit): Promise<Commit> {
  return oftenOne(db, commitInsert(db, commit))
}

export function findCommit(db: Database, id: number): Promise<Commit | undefined> {
  return oftenFirst(db, db.selectFrom('commits').selectAll().where('id', '=', id))
}

/** What answers show of a commit. */
export const shownCommitColumns = [
  'id',
  'sha',
  'ref',
  'branch',
  'tag_name',
  'message',
  'committed_at',
  'author_name',
  'author_email',
  'committer_name',
  'committer_email',
  'compare_url',
] as const

export type ShownCommit = Pick<Commit, (typeof shownCommitColumns)[number]>

/** The merge of a pull request into a branch, as the code host names it. */
export interface NamedMerge extends Pick<Commit, 'repository_id' | 'ref' | 'sha' | 'branch'> {
  pull_request_id: number
  /** What it was merged into, and where the code host says that the branch is. */
  into: string | undefined
  tip: string
}

/** Whether it is the merge into another branch: it was built as that one, or begins where that one was. */
export async function isMergeIntoAnother(
  db: Database,
  { repository_id, ref, sha, branch, pull_request_id, into, tip }: NamedMerge,
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
  if (row !== undefined) return true
  if (into === undefined || into === tip) return false
  const other = await db
    .selectFrom('requests')
    .select('id')
    .where('pull_request_id', '=', pull_request_id)
    .where('base_commit', '=', into)
    .where('base_ref', '<>', branch)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
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
