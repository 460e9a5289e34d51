import { sql } from 'kysely'
import type { PullRequest } from '../../domain/commit/commit.ts'
import type { Database } from '../tables.ts'

type HeadAndBase = Pick<PullRequest, 'id' | 'head_sha' | 'base_ref'>

function newestRequestAbout(db: Database, { id, head_sha, base_ref }: HeadAndBase) {
  return db
    .selectFrom('requests')
    .where('pull_request_id', '=', id)
    .where('head_commit', '=', head_sha)
    .where('base_ref', '=', base_ref)
    .orderBy('id', 'desc')
    .limit(1)
}

/** Whether the build file that was read last for a head and base has a condition that names `draft`. */
export async function asksForDraft(db: Database, pull: HeadAndBase): Promise<boolean> {
  const newest = await newestRequestAbout(db, pull)
    .where('config', 'is not', null)
    .select(
      sql<boolean>`config::jsonb @? '$.**.if ? (@ like_regex "(^|[^a-z_])draft([^a-z_]|$)" flag "i")'`.as(
        'asks',
      ),
    )
    .executeTakeFirst()
  return newest?.asks === true
}

/**
 * Whether the newest request about this head of a pull request was to be merged into this commit, while
 * there was no branch of this name yet.
 */
export async function wasBuiltInto(
  db: Database,
  pull: PullRequest,
  base: { sha: string; ref: string },
): Promise<boolean> {
  const newest = await newestRequestAbout(db, pull)
    .select((eb) => [
      'base_commit',
      eb
        .exists(
          eb
            .selectFrom('branches')
            .select('branches.id')
            .where('branches.repository_id', '=', pull.repository_id)
            .where('branches.name', '=', base.ref)
            .whereRef('branches.created_at', '<=', 'requests.created_at'),
        )
        .as('was_there'),
    ])
    .executeTakeFirst()
  return newest?.base_commit === base.sha && !newest.was_there
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
