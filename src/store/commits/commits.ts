import { type Insertable, type QueryCreator, sql } from 'kysely'
import { type Commit, longestMessage } from '../../domain/commit/commit.ts'
import { storableText } from '../../domain/text/storable-text.ts'
import { runPreparedFirst, runPreparedOne } from '../sql/prepared-statements.ts'
import type { Database, Tables } from '../tables.ts'

export type NewCommit = Insertable<Tables['commits']>

export function commitInsert(db: QueryCreator<Tables>, commit: NewCommit) {
  return db
    .insertInto('commits')
    .values({ ...commit, message: storableText(commit.message).slice(0, longestMessage) })
    .returningAll()
}

export function insertCommit(db: Database, commit: NewCommit): Promise<Commit> {
  return runPreparedOne(db, commitInsert(db, commit))
}

export function findCommit(db: Database, id: number): Promise<Commit | undefined> {
  return runPreparedFirst(db, db.selectFrom('commits').selectAll().where('id', '=', id))
}

/** The columns of a commit that responses show. */
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
  /** The commit it was merged into, and the branch's tip as the code host reports it. */
  into: string | undefined
  tip: string
}

/** Whether the merge is into another branch: it was built for that branch, or starts at its former tip. */
export async function isMergeIntoAnother(
  db: Database,
  { repository_id, ref, sha, branch, pull_request_id, into, tip }: NamedMerge,
): Promise<boolean> {
  // Two branches at one commit have the same merge.
  if (into === tip) return false
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
  if (into === undefined) return false
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

/** Whether an event reported the pull request with another base. */
export async function hadAnotherBase(
  db: Database,
  { pull_request_id, branch }: Pick<NamedMerge, 'pull_request_id' | 'branch'>,
): Promise<boolean> {
  const request = await db
    .selectFrom('requests')
    .select('id')
    .where('pull_request_id', '=', pull_request_id)
    .where('base_ref', '<>', branch)
    .limit(1)
    .executeTakeFirst()
  return request !== undefined
}

/** The commit where a pull request's base was when an event last named it; null if no event did. */
export async function namedBase(
  db: Database,
  { pull_request_id, branch }: Pick<NamedMerge, 'pull_request_id' | 'branch'>,
): Promise<string | null> {
  const newest = await db
    .selectFrom('requests')
    .select('base_commit')
    .where('pull_request_id', '=', pull_request_id)
    .where('base_ref', '=', branch)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.base_commit ?? null
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
