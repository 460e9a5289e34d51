import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Build } from '../domain/build.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Job } from '../domain/job.ts'
import { withoutDefaults, type Request, type RequestMessage } from '../domain/request.ts'
import type { CommitStatus } from '../domain/status.ts'
import { messagesOfRequest } from '../store/requests.ts'
import type { Database } from '../store/tables.ts'

/** A webhook, and what the request that it made is about. */
export interface TakenDelivery extends Pick<
  Delivery,
  'id' | 'event' | 'action' | 'state' | 'outcome'
> {
  branch: string | null
  sha: string | null
  pull_request: number | null
}

/** What is told of the story, in the order in which it happens. */
export interface Listener {
  delivery?(delivery: TakenDelivery): void
  request?(request: Request, messages: RequestMessage[]): void
  build?(build: Build): void
  job?(job: Job): void
  log?(job: Job, content: string): void
  status?(status: CommitStatus & { sha: string }): void
}

const every = 100

/**
 * Follows the story in the database, whichever process writes it, and tells each news once, until
 * `done` says so; throws when it is told to stop. All that was there before is news as well.
 */
export async function watch(
  db: Database,
  listener: Listener,
  done: () => boolean | Promise<boolean>,
  stop: AbortSignal,
): Promise<void> {
  const told = new Map<string, string | number>()
  for (;;) {
    // What is true now has left all its traces before it is looked for.
    const isLast = await done()
    await look(db, listener, told)
    if (isLast) return
    await pause(every, undefined, { signal: stop })
  }
}

type Told = Map<string, string | number>

async function look(db: Database, listener: Listener, told: Told): Promise<void> {
  if (listener.delivery) await lookAtDeliveries(db, listener.delivery, told)
  if (listener.request) await lookAtRequests(db, listener.request, told)
  await lookAtBuilds(db, listener, told)
  await lookAtJobs(db, listener, told)
  if (listener.status) await lookAtStatuses(db, listener.status, told)
}

/** Whether this is the first time that the thing is seen in this state. */
function isNews(told: Told, thing: string, state: string | number): boolean {
  if (told.get(thing) === state) return false
  told.set(thing, state)
  return true
}

async function lookAtDeliveries(
  db: Database,
  tell: NonNullable<Listener['delivery']>,
  told: Told,
): Promise<void> {
  const rows = await db
    .selectFrom('deliveries as delivery')
    .leftJoin('requests as request', 'request.delivery_id', 'delivery.id')
    .leftJoin('commits as commit', 'commit.id', 'request.commit_id')
    .leftJoin('pull_requests as pull', 'pull.id', 'request.pull_request_id')
    .select(['delivery.id', 'delivery.event', 'delivery.action', 'delivery.state'])
    .select(['delivery.outcome', 'pull.number as pull_request'])
    // Of a pull request its own branch is told, not that of the commit which merges it.
    .select(({ fn, ref }) => [
      fn.coalesce(ref('pull.head_ref'), ref('commit.branch')).as('branch'),
      fn.coalesce(ref('request.head_commit'), ref('commit.sha')).as('sha'),
    ])
    .orderBy('delivery.id')
    .execute()
  for (const row of rows) {
    if (isNews(told, `delivery ${row.id}`, row.state)) tell(row)
  }
}

async function lookAtRequests(
  db: Database,
  tell: NonNullable<Listener['request']>,
  told: Told,
): Promise<void> {
  const requests = await db
    .selectFrom('requests')
    .selectAll()
    .where('state', '=', 'finished')
    .orderBy('id')
    .execute()
  for (const request of requests) {
    if (!isNews(told, `request ${request.id}`, request.state)) continue
    tell(request, withoutDefaults(await messagesOfRequest(db, request.id)))
  }
}

async function lookAtBuilds(db: Database, listener: Listener, told: Told): Promise<void> {
  const builds = await db.selectFrom('builds').selectAll().orderBy('id').execute()
  for (const build of builds) {
    if (isNews(told, `build ${build.id}`, build.state)) listener.build?.(build)
  }
}

async function lookAtJobs(db: Database, listener: Listener, told: Told): Promise<void> {
  const jobs = await db.selectFrom('jobs').selectAll().orderBy('id').execute()
  for (const job of jobs) {
    const news = isNews(told, `job ${job.id}`, `${job.state} ${job.attempt}`)
    // The log of a job comes before its end.
    if (news && job.finished_at === null) listener.job?.(job)
    if (listener.log) await lookAtLog(db, job, listener.log, told)
    if (news && job.finished_at !== null) listener.job?.(job)
  }
}

async function lookAtLog(
  db: Database,
  job: Job,
  tell: NonNullable<Listener['log']>,
  told: Told,
): Promise<void> {
  const key = `log ${job.id} ${job.attempt}`
  const after = Number(told.get(key) ?? 0)
  const parts = await db
    .selectFrom('log_parts')
    .select(['number', 'content'])
    .where('log_id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('number', '>', after)
    .orderBy('number')
    .execute()
  for (const { number, content } of parts) {
    told.set(key, number)
    if (content !== '') tell(job, content)
  }
}

async function lookAtStatuses(
  db: Database,
  tell: NonNullable<Listener['status']>,
  told: Told,
): Promise<void> {
  const { rows } = await sql<CommitStatus & { id: number; sha: string }>`
    select id, sha, state, context, description, target_url from local_codehost.statuses
    where id > ${Number(told.get('statuses') ?? 0)} order by id
  `.execute(db)
  for (const row of rows) {
    told.set('statuses', row.id)
    tell(row)
  }
}
