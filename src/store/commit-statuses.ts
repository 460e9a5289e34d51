import { type RawBuilder, sql } from 'kysely'
import type { RequestAbout } from '../domain/commit-status.ts'
import { approvalSeconds } from '../domain/request/approval.ts'
import { leftQueue, leftQueueAction } from '../domain/request/merge-queue.ts'
import type { PostedStatus, ShownCommit, StatusTarget } from '../domain/status.ts'
import { databaseNow, secondsAgo } from './age.ts'
import type { Database } from './tables.ts'

/** Older ones were seen too long ago to be looked at again. */
const mostCommits = 100

export function findPostedStatus(
  db: Database,
  { repository_id, sha, kind }: StatusTarget,
): Promise<PostedStatus | undefined> {
  return db
    .selectFrom('commit_statuses')
    .select(['state', 'description', 'target_url', 'posts', 'is_certain'])
    .where('repository_id', '=', repository_id)
    .where('sha', '=', sha)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** Whether any context of a commit shows a status of ours. */
export async function hasPostedStatus(
  db: Database,
  { repository_id, sha }: ShownCommit,
): Promise<boolean> {
  const row = await db
    .selectFrom('commit_statuses')
    .select('kind')
    .where('repository_id', '=', repository_id)
    .where('sha', '=', sha)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function putPostedStatus(
  db: Database,
  target: StatusTarget,
  posted: PostedStatus,
): Promise<void> {
  const values = { ...posted, posted_at: databaseNow }
  await db
    .insertInto('commit_statuses')
    .values({ ...target, ...values })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'sha', 'kind']).doUpdateSet(values),
    )
    .execute()
}

const isOfPull = sql<boolean>`starts_with(requests.ref, 'refs/pull/')`
const isOfGroup = sql<boolean>`starts_with(requests.ref, 'refs/heads/gh-readonly-queue/')`
const isInQueue = sql<boolean>`(requests.action is distinct from ${leftQueueAction}
  and requests.reason is distinct from ${leftQueue.reason})`

/** Whether a pull request is open with the commit as its head, or a group is in its queue. */
const isCurrent = sql<boolean>`case when ${isOfGroup} then ${isInQueue}
  else pull_requests.state = 'open' and pull_requests.head_sha = requests.head_commit end`

/**
 * Whether a branch or tag still holds the commit: it was not deleted, and after this push it was neither
 * pushed by force nor, as a tag, moved. A push that came late is compared by what it left.
 */
const isHeld = sql<boolean>`case
  when ${isOfPull} then true
  when ${isOfGroup} then ${isInQueue}
  else not exists (
    select from branches where branches.repository_id = requests.repository_id
      and 'refs/heads/' || branches.name = requests.ref and not exists_on_codehost
  ) and not exists (
    select from tags where tags.repository_id = requests.repository_id
      and 'refs/tags/' || tags.name = requests.ref and not exists_on_codehost
  ) and not exists (
    select from requests as later
    where later.repository_id = requests.repository_id and later.ref = requests.ref
      and later.event_type = 'push' and later.after_sha is distinct from requests.after_sha
      and (later.forced or starts_with(later.ref, 'refs/tags/'))
      and (later.before_sha = requests.after_sha
        or (later.id > requests.id and later.overtaken_by is null))
  ) end`

const isApproved = sql<boolean>`exists (
  select from approvals
  where approvals.pull_request_id = requests.pull_request_id
    and approvals.sha = requests.head_commit and approvals.base_ref = pull_requests.base_ref
    and approvals.created_at > ${secondsAgo(approvalSeconds)})`

const pullAbout: RawBuilder<RequestAbout['pull']> = sql`case when pull_requests.id is not null
  then json_build_object(
    'number', pull_requests.number,
    'base_ref', case when ${isOfGroup} then requests.base_ref else pull_requests.base_ref end,
    'is_current', ${isCurrent}, 'is_approved', ${isApproved}) end`

const buildAbout: RawBuilder<RequestAbout['build']> = sql`case when builds.id is not null
  then json_build_object(
    'id', builds.id, 'state', builds.state, 'has_started', builds.started_at is not null,
    'waits_for_approval', builds.waits_for_approval,
    'is_unusable', builds.config_error is not null) end`

/** All requests about a commit, oldest first: as the head of pull requests, or as the commit itself. */
export async function requestsAbout(
  db: Database,
  { repository_id, sha }: ShownCommit,
): Promise<RequestAbout[]> {
  const rows = await db
    .selectFrom('requests')
    .leftJoin('pull_requests', 'pull_requests.id', 'requests.pull_request_id')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .select([
      'requests.id',
      'requests.event_type',
      'requests.ref',
      'requests.base_ref',
      'requests.from_fork',
      'requests.result',
      'requests.reason',
      'requests.message',
      'requests.checks',
    ])
    .select([
      sql<boolean>`requests.retry_at is not null`.as('awaits_merge'),
      isHeld.as('is_held'),
      pullAbout.as('pull'),
      buildAbout.as('build'),
    ])
    .where('requests.repository_id', '=', repository_id)
    .where((eb) =>
      eb.or([
        eb('requests.head_commit', '=', sha),
        eb.and([
          eb('requests.head_commit', 'is', null),
          eb(
            'requests.commit_id',
            'in',
            eb
              .selectFrom('commits')
              .select('commits.id')
              .where('commits.repository_id', '=', repository_id)
              .where('commits.sha', '=', sha),
          ),
        ]),
      ]),
    )
    .orderBy('requests.id')
    .execute()
  return rows.map((row) => ({ ...row, ref: row.ref ?? '' }))
}

/** Of the commits that a ref was at: those that another ref was at as well, the newest of them. */
export async function commitsOfOtherRefs(
  db: Database,
  repositoryId: number,
  ref: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('requests')
    .innerJoin('commits', 'commits.id', 'requests.commit_id')
    .select(['commits.sha'])
    .where('requests.repository_id', '=', repositoryId)
    .where('requests.ref', '=', ref)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('commits as same')
          .select('same.id')
          .whereRef('same.repository_id', '=', 'commits.repository_id')
          .whereRef('same.sha', '=', 'commits.sha')
          .where('same.ref', '<>', ref),
      ),
    )
    .orderBy('requests.id', 'desc')
    .limit(mostCommits)
    .execute()
  return [...new Set(rows.map(({ sha }) => sha))]
}
