import { sql } from 'kysely'
import type { Build } from '../../domain/build.ts'
import type { Database } from '../tables.ts'
import { isOfPull, type PullRef } from './builds.ts'

/** The pull request or merge group, the branch or the tag of a new build, and its request. */
export type BuiltRef = { repository_id: number; request_id: number } & (
  | PullRef
  | { branch: string; is_tag: boolean }
)

/**
 * The builds for earlier requests about the same branch, tag, pull request or merge group of which no job has started,
 * locked in the order of their ids. A tag is built as a branch of its name.
 */
export function lockWaitingBuilds(db: Database, of: BuiltRef): Promise<Build[]> {
  const { repository_id, request_id } = of
  const waiting = db
    .selectFrom('builds')
    .selectAll()
    .where('repository_id', '=', repository_id)
    .where('state', 'in', ['created', 'received'])
    .where('request_id', '<', request_id)
    .where(
      sql<boolean>`not exists (
        select from jobs where jobs.build_id = builds.id and jobs.started_at is not null)`,
    )
    .orderBy('id')
    .forUpdate()
  if ('pull_request_id' in of) {
    return waiting.where('event_type', '=', 'pull_request').where(isOfPull(of)).execute()
  }
  return waiting
    .where('event_type', '=', 'push')
    .where('tag_id', of.is_tag ? 'is not' : 'is', null)
    .where('branch_id', 'in', (query) =>
      query
        .selectFrom('branches')
        .select('branches.id')
        .where('branches.repository_id', '=', repository_id)
        .where('branches.name', '=', of.branch),
    )
    .execute()
}
