import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Build } from '../domain/build.ts'
import type { CommitStatus } from '../domain/commit/status.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Job } from '../domain/job/job.ts'
import { shownMessages } from '../domain/request/config-errors.ts'
import type { Request, RequestMessage } from '../domain/request/request.ts'
import { messagesOfRequest } from '../store/requests/request-messages.ts'
import type { Database } from '../store/tables.ts'

/** A webhook, with the commit of the request that it created. */
export interface WatchedDelivery extends Pick<
  Delivery,
  'id' | 'event' | 'action' | 'state' | 'outcome'
> {
  branch: string | null
  sha: string | null
  pull_request: number | null
}

/** Callbacks for the hops of a push, in the order in which they happen. */
export interface Listener {
  delivery?(delivery: WatchedDelivery): void
  request?(request: Request, messages: RequestMessage[]): void
  build?(build: Build): void
  job?(job: Job): void
  /** A waiting job; called again whenever the reasons change. */
  waiting?(job: Job): void
  log?(job: Job, content: string): void
  status?(status: CommitStatus & { sha: string }): void
}

const pollMilliseconds = 100

/**
 * Polls the database, whichever process writes it, and reports each change once, until `done` returns
 * true; throws when `stop` aborts. Also reports existing rows.
 */
export async function watch(
  db: Database,
  listener: Listener,
  done: () => boolean | Promise<boolean>,
  stop: AbortSignal,
): Promise<void> {
  const reported = new Map<string, string | number>()
  for (;;) {
    // Evaluated before polling, so that the last poll finds all related changes.
    const isLast = await done()
    await poll(db, listener, reported)
    if (isLast) return
    await pause(pollMilliseconds, undefined, { signal: stop })
  }
}

type ReportedStates = Map<string, string | number>

async function poll(db: Database, listener: Listener, reported: ReportedStates): Promise<void> {
  if (listener.delivery) await pollDeliveries(db, listener.delivery, reported)
  if (listener.request) await pollRequests(db, listener.request, reported)
  await pollBuilds(db, listener, reported)
  await pollJobs(db, listener, reported)
  if (listener.status) await pollStatuses(db, listener.status, reported)
}

/** Whether the state of the record differs from its last reported state. */
function isNew(reported: ReportedStates, record: string, state: string | number): boolean {
  if (reported.get(record) === state) return false
  reported.set(record, state)
  return true
}

async function pollDeliveries(
  db: Database,
  report: NonNullable<Listener['delivery']>,
  reported: ReportedStates,
): Promise<void> {
  const rows = await db
    .selectFrom('deliveries as delivery')
    .leftJoin('requests as request', 'request.delivery_id', 'delivery.id')
    .leftJoin('commits as commit', 'commit.id', 'request.commit_id')
    .leftJoin('pull_requests as pull', 'pull.id', 'request.pull_request_id')
    .select(['delivery.id', 'delivery.event', 'delivery.action', 'delivery.state'])
    .select(['delivery.outcome', 'pull.number as pull_request'])
    // For a pull request, the branch is its own branch, not the merge commit's.
    .select(({ fn, ref }) => [
      fn.coalesce(ref('pull.head_ref'), ref('commit.branch')).as('branch'),
      fn.coalesce(ref('request.head_commit'), ref('commit.sha')).as('sha'),
    ])
    .orderBy('delivery.id')
    .execute()
  for (const row of rows) {
    if (isNew(reported, `delivery ${row.id}`, row.state)) report(row)
  }
}

async function pollRequests(
  db: Database,
  report: NonNullable<Listener['request']>,
  reported: ReportedStates,
): Promise<void> {
  const requests = await db
    .selectFrom('requests')
    .selectAll()
    .where('state', '=', 'finished')
    .orderBy('id')
    .execute()
  for (const request of requests) {
    if (!isNew(reported, `request ${request.id}`, request.state)) continue
    report(request, shownMessages(await messagesOfRequest(db, request.id)))
  }
}

async function pollBuilds(
  db: Database,
  listener: Listener,
  reported: ReportedStates,
): Promise<void> {
  const builds = await db.selectFrom('builds').selectAll().orderBy('id').execute()
  for (const build of builds) {
    if (isNew(reported, `build ${build.id}`, build.state)) listener.build?.(build)
  }
}

async function pollJobs(db: Database, listener: Listener, reported: ReportedStates): Promise<void> {
  const jobs = await db.selectFrom('jobs').selectAll().orderBy('id').execute()
  for (const job of jobs) {
    const isChanged = isNew(reported, `job ${job.id}`, `${job.state} ${job.attempt}`)
    // The log of a job comes before its end.
    if (isChanged && job.finished_at === null) listener.job?.(job)
    if (listener.waiting) pollReasons(job, listener.waiting, reported)
    if (listener.log) await pollLog(db, job, listener.log, reported)
    if (isChanged && job.finished_at !== null) listener.job?.(job)
  }
}

/** Jobs that were not scheduled yet have no reasons. */
function pollReasons(job: Job, report: (job: Job) => void, reported: ReportedStates): void {
  const failed = job.checks.filter(({ passed }) => !passed)
  if (job.state !== 'created' || failed.length === 0) return
  const reasons = failed.map(({ rule, values }) => `${rule} ${JSON.stringify(values)}`).join('\n')
  if (isNew(reported, `reasons of ${job.id}`, reasons)) report(job)
}

async function pollLog(
  db: Database,
  job: Job,
  report: NonNullable<Listener['log']>,
  reported: ReportedStates,
): Promise<void> {
  const key = `log ${job.id}`
  const [attempt = 0, after = 0] = String(reported.get(key) ?? '')
    .split(' ')
    .map(Number)
  // Includes parts of a lost attempt, which may have ended since the last poll.
  const parts = await db
    .selectFrom('log_parts')
    .select(['attempt', 'number', 'content'])
    .where('log_id', '=', job.id)
    .where(sql<boolean>`(attempt, number) > (${attempt}::int, ${after}::int)`)
    .orderBy('attempt')
    .orderBy('number')
    .execute()
  for (const { attempt, number, content } of parts) {
    reported.set(key, `${attempt} ${number}`)
    if (content !== '') report(job, content)
  }
}

async function pollStatuses(
  db: Database,
  report: NonNullable<Listener['status']>,
  reported: ReportedStates,
): Promise<void> {
  const { rows } = await sql<CommitStatus & { id: number; sha: string }>`
    select id, sha, state, context, description, target_url from local_codehost.statuses
    where id > ${Number(reported.get('statuses') ?? 0)} order by id
  `.execute(db)
  for (const row of rows) {
    reported.set('statuses', row.id)
    report(row)
  }
}
