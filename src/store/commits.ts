import type { Insertable } from 'kysely'
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

export function commitsByIds(db: Database, ids: readonly number[]): Promise<Commit[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('commits').selectAll().where('id', 'in', ids).orderBy('id').execute()
}
