import type { PullRequest } from '../domain/commit.ts'
import type { Database } from './tables.ts'

/** Whether the newest request about this head of a pull request was to be merged into this commit. */
export async function wasBuiltInto(
  db: Database,
  { id, head_sha, base_ref }: PullRequest,
  base: string,
): Promise<boolean> {
  const newest = await db
    .selectFrom('requests')
    .select('base_commit')
    .where('pull_request_id', '=', id)
    .where('head_commit', '=', head_sha)
    .where('base_ref', '=', base_ref)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.base_commit === base
}

/** Gives the requests and approvals of a pull request's head the new name of its base (D53). */
export async function renameBase(
  db: Database,
  { id, head_sha, base_ref }: PullRequest,
  earlier: string,
): Promise<void> {
  await db
    .updateTable('requests')
    .set({ base_ref })
    .where('pull_request_id', '=', id)
    .where('head_commit', '=', head_sha)
    .where('base_ref', '=', earlier)
    .execute()
  await db
    .deleteFrom('approvals')
    .where('pull_request_id', '=', id)
    .where('sha', '=', head_sha)
    .where('base_ref', '=', base_ref)
    .execute()
  await db
    .updateTable('approvals')
    .set({ base_ref })
    .where('pull_request_id', '=', id)
    .where('sha', '=', head_sha)
    .where('base_ref', '=', earlier)
    .execute()
}
