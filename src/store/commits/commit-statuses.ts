import { type RawBuilder, sql } from 'kysely'
import type { PostedStatus, ShownCommit, StatusTarget } from '../../domain/commit/status.ts'
import type { RequestAbout } from '../../domain/request/about.ts'
import { leftQueue, leftQueueAction } from '../../domain/request/merge-queue.ts'
import { databaseNow } from '../sql/age.ts'
import type { Database } from '../tables.ts'
import { isAbout, leftRefs } from './left-refs.ts'

/** Older commits were seen too long ago to be looked at again. */
const mostCommits = 100

export function findPostedStatus(
  db: Database,
  { repository_id, sha, kind }: StatusTarget,
): Promise<PostedStatus | undefined> {
  return db
    .selectFrom('commit_statuses')
    .select(['context', 'state', 'description', 'target_url', 'posts', 'is_certain'])
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

const isOfGroup = sql<boolean>`starts_with(requests.ref, 'refs/heads/gh-readonly-queue/')`
const isInQueue = sql<boolean>`(requests.action is distinct from ${leftQueueAction}
  and requests.reason is distinct from ${leftQueue.reason})`

/** Whether a pull request is open with the commit as its head, or a group is in its queue. */
const isCurrent = sql<boolean>`case when ${isOfGroup} then ${isInQueue}
  else pull_requests.state = 'open' and pull_requests.head_sha = requests.head_commit end`

/** By a user. Also true once the approval has expired: its effect stays (D53). */
const isApproved = sql<boolean>`exists (
  select from approvals
  where approvals.pull_request_id = requests.pull_request_id and not approvals.automatic
    and approvals.sha = requests.head_commit and approvals.base_ref = pull_requests.base_ref)`

const pullAbout: RawBuilder<RequestAbout['pull']> = sql`case when pull_requests.id is not null
  then json_build_object(
    'number', pull_requests.number,
    'base_ref', case when ${isOfGroup} then requests.base_ref else pull_requests.base_ref end,
    'is_current', ${isCurrent}, 'is_approved', ${isApproved}) end`

/** Whether a build has started counts only while it waits, or once it was canceled. */
const hasStarted = sql<boolean>`builds.started_at is not null
  or builds.state not in ('created', 'received', 'canceled') or exists (
    select from jobs inner join job_versions on job_versions.job_id = jobs.id
    where jobs.build_id = builds.id
      and (job_versions.started_at is not null or job_versions.state <> 'canceled'))`

const buildAbout: RawBuilder<RequestAbout['build']> = sql`case when builds.id is not null
  then json_build_object(
    'id', builds.id, 'state', builds.state, 'has_started', ${hasStarted},
    'waits_for_approval', builds.waits_for_approval,
    'is_unusable', builds.config_error is not null,
    'jobs', own.jobs, 'unmet', own.unmet) end`

const jobsAbout = sql<{ jobs: number; unmet: unknown }>`(
  select count(*) as jobs, coalesce(
    json_agg(json_build_object('unmet', unmet, 'found_machine', found_machine) order by id)
      filter (where unmet is not null), '[]') as unmet
  from jobs where build_id = builds.id)`

/** All requests about a commit, oldest first: as the head of pull requests, or as the commit itself. */
export async function requestsAbout(db: Database, commit: ShownCommit): Promise<RequestAbout[]> {
  const rows = await db
    .selectFrom('requests')
    .leftJoin('pull_requests', 'pull_requests.id', 'requests.pull_request_id')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .leftJoinLateral(jobsAbout.as('own'), (join) => join.onTrue())
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
      sql<boolean>`(not ${isOfGroup} or ${isInQueue})`.as('is_held'),
      pullAbout.as('pull'),
      buildAbout.as('build'),
    ])
    .where(isAbout(commit))
    .orderBy('requests.id')
    .execute()
  const isOfOneRef = new Set(rows.map(({ ref }) => ref)).size <= 1
  const left = isOfOneRef ? new Set() : await leftRefs(db, commit)
  return rows.map((row) => {
    const ref = row.ref ?? ''
    return { ...row, ref, is_held: row.is_held && !left.has(ref) }
  })
}

/** The newest of the commits that both this ref and another ref were at. */
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
