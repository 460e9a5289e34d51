import { type Insertable, sql } from 'kysely'
import type { PullRequest } from '../../domain/commit/commit.ts'
import { unfinished } from '../../domain/job/job.ts'
import type { Approval } from '../../domain/request/approval.ts'
import { isLeftToMaintainers } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import { type Database, omit, type Tables } from '../tables.ts'

/** The base of a request; requests without a stored base have the base of their pull request. */
function baseOf(base_ref: string | null) {
  return sql<string>`coalesce(${base_ref}, pull_requests.base_ref)`
}

/** A pull request's head. */
type Head = Pick<Request, 'pull_request_id' | 'head_commit'>

/** A pull request's head to be merged into a base: the subject of an approval (D53). */
type HeadAndBase = Head & Pick<Request, 'base_ref'>

/**
 * Locks a pull request for the rest of the transaction. Every decision on its head, and every approval,
 * starts with this: an event that changes the pull request waits for them, or they wait for the event.
 */
export function lockPull(
  db: Database,
  id: number,
): Promise<Pick<PullRequest, 'id' | 'number' | 'head_sha' | 'base_ref' | 'draft'> | undefined> {
  return db
    .selectFrom('pull_requests')
    .select(['id', 'number', 'head_sha', 'base_ref', 'draft'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Stores an approval by a user, or restarts its time. */
export async function putApproval(
  db: Database,
  approval: Omit<Insertable<Tables['approvals']>, 'created_at' | 'automatic'>,
): Promise<void> {
  await db
    .insertInto('approvals')
    .values(approval)
    .onConflict((conflict) =>
      conflict
        .columns(['pull_request_id', 'sha', 'base_ref'])
        .doUpdateSet({
          ...omit(approval, 'pull_request_id', 'sha', 'base_ref'),
          automatic: false,
          created_at: databaseNow,
        }),
    )
    .execute()
  await db
    .updateTable('pull_requests')
    .set({ vouched: true })
    .where('id', '=', approval.pull_request_id)
    .execute()
}

/**
 * Whether a head comes from an author of whom a user approved any pull request in the same repository. Every
 * event about the head must be the author's own: others can push to the branch of a fork.
 */
export async function isOfVouchedAuthor(
  db: Database,
  { pull_request_id, head_commit }: Head,
): Promise<boolean> {
  const found = await db
    .selectFrom('pull_requests')
    .innerJoin('pull_requests as others', (join) =>
      join
        .onRef('others.repository_id', '=', 'pull_requests.repository_id')
        .onRef('others.author_codehost_id', '=', 'pull_requests.author_codehost_id')
        .on('others.vouched', '=', true),
    )
    .select('others.id')
    .where('pull_requests.id', '=', pull_request_id)
    .where(
      sql<boolean>`not exists (
        select from requests
        where requests.pull_request_id = pull_requests.id and requests.head_commit = ${head_commit}
          and lower(requests.sender_login) is distinct from lower(pull_requests.author_login))`,
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores that a head needs no approval, unless it has one. False if the pull request has another head. */
export async function putAutomaticApproval(
  db: Database,
  { pull_request_id, head_commit, base_ref }: HeadAndBase,
): Promise<boolean> {
  const { rows } = await sql`
    insert into approvals (repository_id, pull_request_id, sha, base_ref, automatic)
    select repository_id, id, head_sha, ${baseOf(base_ref)}, true
    from pull_requests where id = ${pull_request_id}::bigint and head_sha = ${head_commit}
    on conflict (pull_request_id, sha, base_ref) do update set sha = excluded.sha
    returning sha
  `.execute(db)
  return rows.length > 0
}

/** Deletes what `putAutomaticApproval` stored for a pull request. */
export async function endAutomaticApprovals(db: Database, pullId: number | null): Promise<void> {
  await db
    .deleteFrom('approvals')
    .where('pull_request_id', '=', sql<number>`${pullId}::bigint`)
    .where('automatic', '=', true)
    .execute()
}

export interface HeadState {
  /** Whether a user approved the head less than `seconds` ago. */
  approved: boolean
  /** Whether the pull request now has another head. */
  superseded: boolean
}

/** State of the head and base that a request names. A head of no pull request is neither. */
export async function stateOfHead(
  db: Database,
  { pull_request_id, head_commit, base_ref }: HeadAndBase,
  seconds: number,
): Promise<HeadState> {
  const row = await db
    .selectFrom('pull_requests')
    .select([
      sql<boolean>`head_sha is distinct from ${head_commit}`.as('superseded'),
      sql<boolean>`head_sha = ${head_commit} and exists (
        select from approvals
        where approvals.pull_request_id = pull_requests.id and approvals.sha = ${head_commit}
          and approvals.base_ref = ${baseOf(base_ref)} and not approvals.automatic
          and approvals.created_at > ${secondsAgo(seconds)}
      )`.as('approved'),
    ])
    .where('id', '=', sql<number>`${pull_request_id}::bigint`)
    .executeTakeFirst()
  return row ?? { approved: false, superseded: false }
}

/** State of the approval of a request's head, valid for `seconds`. Null if none is needed. */
export async function approvalOf(
  db: Database,
  request: HeadAndBase & Pick<Request, 'from_fork' | 'result' | 'reason' | 'checks'>,
  seconds: number,
): Promise<Approval | null> {
  const { from_fork, pull_request_id, head_commit, base_ref, result } = request
  if (!from_fork || (result === 'rejected' && !isLeftToMaintainers(request))) return null
  const row = await db
    .selectFrom('pull_requests')
    .leftJoin('approvals', (join) =>
      join
        .onRef('approvals.pull_request_id', '=', 'pull_requests.id')
        .on('approvals.sha', '=', head_commit)
        .on('approvals.base_ref', '=', baseOf(base_ref)),
    )
    .leftJoin('users', 'users.id', 'approvals.approved_by_id')
    .select(['head_sha', 'pull_requests.base_ref', 'users.login', 'approvals.created_at as at'])
    .select('approvals.automatic')
    .select(sql<boolean>`approvals.created_at > ${secondsAgo(seconds)}`.as('holds'))
    .where('pull_requests.id', '=', pull_request_id)
    .executeTakeFirst()
  const none = { by: null, at: null, until: null }
  if (!row || row.head_sha !== head_commit || (base_ref !== null && row.base_ref !== base_ref)) {
    return { state: 'superseded', ...none }
  }
  if (row.at === null) return { state: 'waiting', ...none }
  // What its author left out passes only once a user has approved it (D51).
  if (row.automatic === true)
    return { state: result === 'rejected' ? 'waiting' : 'unneeded', ...none }
  const until = new Date(row.at.getTime() + seconds * 1000)
  return { state: row.holds ? 'approved' : 'expired', by: row.login, at: row.at, until }
}

/** Deletes the approvals of all heads and bases of a pull request other than these. */
export async function endApprovals(
  db: Database,
  { id, head_sha, base_ref }: Pick<PullRequest, 'id' | 'head_sha' | 'base_ref'>,
): Promise<void> {
  await db
    .deleteFrom('approvals')
    .where('pull_request_id', '=', id)
    .where((eb) => eb.or([eb('sha', '<>', head_sha), eb('base_ref', '<>', base_ref)]))
    .execute()
}

/** The unfinished builds of a fork's head that no one approved, for one base or for all, in order. */
export async function buildsToApprove(
  db: Database,
  { pull_request_id, head_commit, base_ref }: Head & Partial<HeadAndBase>,
): Promise<number[]> {
  const rows = await db
    .selectFrom('builds')
    .innerJoin('requests', 'requests.id', 'builds.request_id')
    .select('builds.id')
    .where('builds.pull_request_id', '=', pull_request_id)
    .where('requests.head_commit', '=', head_commit)
    .where((eb) =>
      eb.or([eb('builds.waits_for_approval', '=', true), eb('builds.without_approval', '=', true)]),
    )
    .where('builds.finished_at', 'is', null)
    .$if(base_ref !== undefined, (query) =>
      query.where('requests.base_ref', 'is not distinct from', base_ref ?? null),
    )
    .orderBy('builds.id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The builds of a fork's earlier heads that could still run, in order: builds that were approved, and
 * builds with a job that has not ended.
 */
export async function buildsOfEarlierHeads(
  db: Database,
  { id, head_sha }: Pick<PullRequest, 'id' | 'head_sha'>,
): Promise<number[]> {
  const rows = await db
    .selectFrom('builds')
    .innerJoin('requests', 'requests.id', 'builds.request_id')
    .select('builds.id')
    .where('builds.pull_request_id', '=', id)
    .where('requests.from_fork', '=', true)
    .where('requests.head_commit', '<>', head_sha)
    .where((eb) =>
      eb.or([
        eb('builds.waits_for_approval', '=', false),
        // An approved build may be being restarted at this moment.
        sql<boolean>`exists (select from approvals
          where approvals.pull_request_id = ${id} and approvals.sha = requests.head_commit)`,
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.build_id', '=', 'builds.id')
            .where('jobs.state', 'in', unfinished),
        ),
      ]),
    )
    .orderBy('builds.id')
    .execute()
  return rows.map(({ id }) => id)
}
